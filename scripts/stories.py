#!/usr/bin/env python3
"""How readable violations are: runs the tasks of an index whose verdict is false, and measures the stories.

  scripts/stories.py --tasks ../shared/tasks/index.tsv [--raddle target/release/raddle] [--seconds 20] [--limit N] [--shuffle SEED] [--engine auto]

Prints how many violations were found; the lines of the folded traces as they are printed to a terminal (median, quartiles, and how many have lines that stand for steps left out), and the steps
that the violations depend on; and context switches: of the executions as found, of those that are told, with all their steps, and of the folded traces as printed.
"""
import argparse, concurrent.futures, csv, json, os, random, re, statistics, subprocess, tempfile

# A line of a trace: the number of its step, or the steps that it stands for.
LINE = re.compile(r"^ *\d+[ ↷]  |^    [ ↷]  [│● ]* *…")
LEFT = re.compile(r"^    [ ↷]  [│● ]* *….*--full shows them")

def measured(text, report):
    """Of a story as text and the report with the same story: lines, whether steps are left out, needed steps, switches as found, told and printed."""
    data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', report, re.S)
    story = json.loads(data.group(1))["story"] if data else None
    if not story:
        return None
    lines = [line for line in text.splitlines() if LINE.match(line)]
    needed = [step["t"][0] for step in story["steps"] if not step.get("folded")]
    printed = sum(a != b for a, b in zip(needed, needed[1:]))
    return len(lines), any(map(LEFT.match, lines)), len(needed), story["switches_as_found"], story["switches"], printed

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tasks", required=True)
    ap.add_argument("--raddle", default="target/release/raddle")
    ap.add_argument("--engine", default="auto")
    ap.add_argument("--seconds", type=int, default=20)
    ap.add_argument("--limit", type=int, default=10**9)
    ap.add_argument("--shuffle", type=int)
    ap.add_argument("--filter", default="")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--verbose", action="store_true")
    args = ap.parse_args()
    root = os.path.dirname(os.path.abspath(args.tasks))
    with open(args.tasks) as f:
        tasks = [t for t in csv.DictReader(f, delimiter="\t")
                 if t["verdict"] == "false" and t["property"] == "unreach-call" and re.search(args.filter, t["file"])]
    if args.shuffle is not None:
        random.Random(args.shuffle).shuffle(tasks)
    tasks = tasks[:args.limit]

    def job(task):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "report.html")
            command = [args.raddle, "--no-config", "--engine", args.engine, "--timeout", f"{args.seconds}s", "--jobs", "1", "--report", page,
                       "--property", os.path.join(root, "properties", task["property"] + ".prp"), "--data-model", task["data_model"].lower(),
                       os.path.join(root, task["file"])]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
            if "VERDICT: false" not in done.stdout or not os.path.exists(page):
                return task, None
            with open(page) as f:
                return task, measured(done.stdout, f.read())

    all = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for task, of_task in pool.map(job, tasks):
            if args.verbose:
                print(task["file"], *(of_task or ["no violation"]), flush=True)
            if of_task:
                all.append(of_task)
    if not all:
        print("no violation was found")
        return
    lines, left, needed, found, told, printed = map(list, zip(*all))
    quartiles = statistics.quantiles(lines, n=4) if len(lines) > 1 else lines * 3
    print(f"{len(lines)} violations of {len(tasks)} tasks; lines as printed: median {statistics.median(lines)}, quartiles {quartiles}, most {max(lines)}; "
          f"{sum(left)} with steps left out; needed steps: median {statistics.median(needed)}")
    all_found = max(sum(found), 1)
    print(f"context switches: {sum(found)} as found, {sum(told)} as told with all steps ({sum(told) / all_found:.2f}), "
          f"{sum(printed)} as printed ({sum(printed) / all_found:.2f})")

if __name__ == "__main__":
    main()
