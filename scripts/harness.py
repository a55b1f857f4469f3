#!/usr/bin/env python3
"""Runs the executable counterexamples of tasks with a violation: is it reproduced natively, every time?

  scripts/harness.py --tasks ../shared/tasks/index.tsv [--raddle target/release/raddle] [--seconds 20] [--runs 10]
                     [--filter REGEX] [--category REGEX] [--limit N] [--shuffle SEED] [--keep DIR] [--jobs 2]

Verifies each task of the index (columns file, property, verdict, data_model) whose violation is known, with `--harness`, builds
what it writes, and runs it. Prints what was not reproduced and why, and a table. Exit status 1 if fewer than --at-least are.
The compiler is $CC; where it has no 32-bit library, 32-bit tasks are built for this machine's own data model.
"""
import argparse, collections, concurrent.futures, csv, os, random, re, shutil, subprocess, sys, tempfile

def verified(args, root, task, folder):
    """The verdict, or how the run ended."""
    command = [args.raddle, "verify", "--quiet", "--data-model", task["data_model"], "--harness", folder, "--timeout", f"{args.seconds}s",
               "--property", os.path.join(root, "properties", task["property"] + ".prp"), os.path.join(root, task["file"])]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20 * args.seconds + 60)
    last = done.stdout.strip().splitlines()[-1:] or ["no output"]
    return last[0].removeprefix("VERDICT: "), done.stderr

def built(folder):
    done = subprocess.run(["sh", os.path.join(folder, "run.sh")], capture_output=True, text=True, errors="replace", timeout=120)
    return done.returncode, done.stderr

def why(code, err):
    """The line that tells what went wrong, without places and numbers."""
    lines = [line for line in err.splitlines() if re.match(r"diverged|expected", line) or "error" in line or "undefined reference" in line]
    line = lines[0] if lines else (err.strip().splitlines() or [""])[-1]
    return f"{code}: " + re.sub(r"\(thread.*|^\S+:\d+:\d+: ", "", line)[:100]

def attempt(args, root, task):
    folder = tempfile.mkdtemp(prefix="harness-", dir=args.keep)
    try:
        verdict, err = verified(args, root, task, folder)
        if not verdict.startswith("false"):
            return task, None, verdict, folder
        if not os.path.exists(os.path.join(folder, "run.sh")):
            return task, 0, "no harness: " + (err.strip().splitlines() or [""])[-1].rpartition(": ")[2], folder
        code, err = built(folder)
        note = " [other data model]" if "data model is taken" in err else ""
        strange = " [uninitialised]" if "may not reproduce" in err else ""
        if code != 0:
            return task, 0, why(code, err) + note + strange, folder
        good, last = 0, ""
        for _ in range(args.runs):
            done = subprocess.run(["./repro"], cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
            good += done.returncode == 0
            last = last if done.returncode == 0 else why(done.returncode, done.stderr)
        return task, good / args.runs, f"{last}{note}", folder
    except subprocess.TimeoutExpired:
        return task, 0, "a process hangs", folder
    finally:
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tasks", required=True)
    ap.add_argument("--raddle", default="target/release/raddle")
    ap.add_argument("--seconds", type=int, default=20)
    ap.add_argument("--runs", type=int, default=10)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--filter", default="")
    ap.add_argument("--category", default="")
    ap.add_argument("--limit", type=int)
    ap.add_argument("--shuffle", type=int)
    ap.add_argument("--at-least", type=float, default=0.95)
    ap.add_argument("--keep", help="leave the folders here")
    args = ap.parse_args()
    root = os.path.dirname(os.path.abspath(args.tasks))
    with open(args.tasks) as f:
        tasks = [t for t in csv.DictReader(f, delimiter="\t") if t["verdict"] == "false" and t["property"] == "unreach-call"
                 and re.search(args.filter, t["file"]) and re.search(args.category, t["category"])]
    if args.shuffle is not None:
        random.Random(args.shuffle).shuffle(tasks)
    table = collections.defaultdict(collections.Counter)
    reasons = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for task, share, reason, folder in pool.map(lambda t: attempt(args, root, t), tasks[:args.limit]):
            row = table[task["category"]]
            row["tasks"] += 1
            if share is None:
                row["no violation found"] += 1
                continue
            row["violations"] += 1
            row["reproduced"] += share == 1
            if share < 1:
                reasons[reason] += 1
                print(f"{task['file']}: {100 * share:.0f} %: {reason}{'  ' + folder if args.keep else ''}", flush=True)
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    found = sum(row["violations"] for row in table.values())
    good = sum(row["reproduced"] for row in table.values())
    for category, row in sorted(table.items()):
        print(f"{category:32} {row['tasks']:4} tasks, {row['violations']:4} violations found, {row['reproduced']:4} reproduced")
    print(f"{good} of {found} violations are reproduced {args.runs} times of {args.runs} ({100 * good / max(found, 1):.1f} %)")
    sys.exit(0 if good >= args.at_least * found else 1)

if __name__ == "__main__":
    main()
