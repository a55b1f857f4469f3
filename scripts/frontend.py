#!/usr/bin/env python3
"""Lowers every task of an index to a Program, and says what failed and how fast the frontend is.

  scripts/frontend.py --tasks ../shared/tasks/index.tsv [--raddle target/release/raddle] [--at-least 0.98] [--jobs 2]

Runs `raddle show --as traits` on each; what it cannot lower must be a named unsupported construct (status 2) or an input
error (status 3) with a place. Exit status 1 if fewer than --at-least lower, or anything crashes or takes over a second.
"""
import argparse, collections, concurrent.futures, csv, os, re, resource, subprocess, sys, time

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tasks", required=True)
    ap.add_argument("--raddle", default="target/release/raddle")
    ap.add_argument("--at-least", type=float, default=0.98)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--filter", default="")
    ap.add_argument("--simplified", action="store_true", help="run all passes as well")
    args = ap.parse_args()
    root = os.path.dirname(os.path.abspath(args.tasks))
    with open(args.tasks) as f:
        tasks = [t for t in csv.DictReader(f, delimiter="\t") if re.search(args.filter, t["file"])]

    def job(task):
        command = [args.raddle, "show", "--as", "traits", "--data-model", task["data_model"], os.path.join(root, task["file"])]
        if args.simplified:
            command.insert(2, "--simplified")
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, errors="replace")
        return task, done.returncode, done.stderr, time.monotonic() - start

    reasons, crashed, slow, good, size = collections.Counter(), 0, [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for task, code, err, wall in pool.map(job, tasks):
            size += int(task["bytes"])
            good += code == 0
            if wall > 1:
                slow.append((task["file"], round(wall, 2)))
            if code != 0:
                line = next((l for l in err.splitlines() if ": error:" in l or ": unsupported:" in l), err.strip().splitlines()[0] if err.strip() else "")
                reasons[re.sub(r"^.*?: (error|unsupported): ", r"\1: ", line)] += 1
                crashed += code not in (2, 3)
                print(f"{task['file']} ({code}): {line}")
    cpu = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    print(f"{good} of {len(tasks)} lower ({100 * good / max(len(tasks), 1):.1f} %), {crashed} crashed, "
          f"{size / 1e6:.1f} MB in {cpu:.1f} s of CPU ({size / 1e6 / max(cpu, 1e-9):.1f} MB/s, process start included)")
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    for file, wall in slow:
        print(f"slow: {file} {wall} s")
    sys.exit(0 if good >= args.at_least * len(tasks) and not crashed else 1)

if __name__ == "__main__":
    main()
