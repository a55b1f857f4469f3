#!/usr/bin/env python3
"""How readable violations are: runs the tasks of an index whose verdict is false, and measures the stories.

  scripts/stories.py --tasks ../shared/tasks/index.tsv [--raddle target/release/raddle] [--seconds 20] [--limit N] [--shuffle SEED] [--engine auto]

Prints how many violations were found, the lines of the folded traces (median, quartiles), and context switches as found and as told.
"""
import argparse, concurrent.futures, csv, json, os, random, re, statistics, subprocess

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
        command = [args.raddle, "--no-config", "--format", "json", "--engine", args.engine, "--timeout", f"{args.seconds}s", "--jobs", "1",
                   "--property", os.path.join(root, "properties", task["property"] + ".prp"), "--data-model", task["data_model"],
                   os.path.join(root, task["file"])]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        try:
            return task, json.loads(done.stdout)["properties"][0]
        except (ValueError, KeyError):
            return task, {"verdict": f"no JSON, status {done.returncode}", "story": None}

    lines, found, told, steps = [], 0, 0, []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for task, report in pool.map(job, tasks):
            story = report.get("story")
            if args.verbose or (not story and report["verdict"].startswith("no JSON")):
                folded = sum(step["needed"] for step in story["steps"]) if story else 0
                switches = (story["switches_as_found"], story["switches"]) if story else ""
                print(f"{task['file']}: {report['verdict']} {folded} {switches}")
            if not story:
                continue
            lines.append(sum(step["needed"] for step in story["steps"]))
            steps.append(len(story["steps"]))
            if len(story["threads"]) > 1:
                found += story["switches_as_found"]
                told += story["switches"]
    if not lines:
        print("no violation was found")
        return
    quartiles = statistics.quantiles(lines, n=4) if len(lines) > 1 else lines * 3
    print(f"{len(lines)} violations of {len(tasks)} tasks; folded lines: median {statistics.median(lines)}, quartiles {quartiles}, "
          f"most {max(lines)}; steps: median {statistics.median(steps)}")
    print(f"context switches: {found} as found, {told} as told ({told / max(found, 1):.2f})")

if __name__ == "__main__":
    main()
