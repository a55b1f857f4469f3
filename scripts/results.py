#!/usr/bin/env python3
"""Can others use what Raddle found? Verifies the tasks of an index and puts the results to the test.

  scripts/results.py --tasks ../shared/tasks/index.tsv [--raddle target/release/raddle] [--kind false|true] [--engine auto]
          [--seconds 20] [--validate-seconds 20] [--runs 10] [--only witness,harness,story] [--filter REGEX] [--limit N] [--shuffle SEED]
          [--keep DIR] [--jobs 2]

Each task of the kind is verified once. Of each answer, `raddle validate` is to confirm the witness; of each violation, too, the harness is built and is to fail --runs times of
--runs ($CC compiles it; without 32-bit libraries, 32-bit tasks are built for this machine's own data model), and the lines and context switches of the story are counted. Prints a
line for each result that fails a test, and a summary. Exit status 1 if a violation was not confirmed, if fewer than 90 % of proofs or 95 % of harnesses are, if a validator contradicts
the verifier, or if stories are long (a median above 25 lines, more than half of the context switches).
"""
import argparse, collections, concurrent.futures, csv, json, os, random, re, shutil, statistics, subprocess, sys, tempfile, time


def run(command, seconds):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "a process hangs")


def last_line(text):
    return (text.strip().splitlines() or [""])[-1]


class Test:
    """One task, and what became of it."""

    def __init__(self, args, root, task):
        self.args, self.task = args, task
        self.folder = tempfile.mkdtemp(prefix=re.sub(r"\W+", "-", os.path.basename(task["file"]))[:60] + "-", dir=args.keep)
        self.common = ["--no-config", "--jobs", "1", "--data-model", task["data_model"], "--property",
                       os.path.join(root, "properties", task["property"] + ".prp"), os.path.join(root, task["file"])]
        self.failures, self.story, self.checks = [], None, {}

    def run(self):
        witness, harness = os.path.join(self.folder, "witness.yml"), os.path.join(self.folder, "harness")
        command = [self.args.raddle, "verify", "--engine", self.args.engine, "--timeout", f"{self.args.seconds}s", "--format", "json", "--witness", witness]
        if self.args.kind == "false":
            command += ["--harness", harness]
        start = time.monotonic()
        done = run(command + self.common, 10 * self.args.seconds + 60)
        self.found_in = time.monotonic() - start
        try:
            report = json.loads(done.stdout)["properties"][0]
        except (ValueError, KeyError):
            report = {"verdict": f"no report, status {done.returncode}"}
            self.failures.append(report["verdict"])
        self.verdict, self.story = report["verdict"], report.get("story")
        if self.verdict.startswith(self.args.kind):
            if "witness" in self.args.only:
                self.validate(witness, done.stderr)
            if "harness" in self.args.only and self.args.kind == "false":
                self.reproduce(harness, done.stderr)
        if not self.args.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        return self

    def failed(self, check, why):
        self.checks[check] = False
        self.failures.append(f"{check}: {why[:200]}")

    def validate(self, witness, words):
        if not os.path.exists(witness):
            return self.failed("witness", last_line(words))
        command = [self.args.raddle, "validate", "--timeout", f"{self.args.validate_seconds}s", "--witness", witness]
        start = time.monotonic()
        done = run(command + self.common, 10 * self.args.validate_seconds + 60)
        self.confirmed_in = time.monotonic() - start
        verdict = last_line(done.stdout).removeprefix("VERDICT: ")
        if verdict == self.verdict:
            self.checks["witness"] = True
            return
        if verdict.startswith(("true", "false")):
            self.checks["not contradicted"] = False
        self.failed("witness", f"{verdict} after {self.confirmed_in:.1f} s: {(done.stdout.splitlines() or [''])[0]}")

    def reproduce(self, folder, words):
        if not os.path.exists(os.path.join(folder, "run.sh")):
            return self.failed("harness", last_line(words))
        done = run(["sh", os.path.join(folder, "run.sh")], 120)
        runs = 0
        while done.returncode == 0 and runs < self.args.runs:
            done, runs = run([os.path.join(folder, "repro")], 120), runs + 1
        self.checks["harness"] = done.returncode == 0
        if done.returncode != 0:
            telling = [line for line in done.stderr.splitlines() if re.match(r"diverged|expected", line) or "error" in line or "undefined reference" in line]
            self.failed("harness", f"status {done.returncode} in run {runs}: {(telling or [last_line(done.stderr)])[0]}")


def chosen(args):
    with open(args.tasks) as index:
        tasks = [t for t in csv.DictReader(index, delimiter="\t")
                 if t["property"] == "unreach-call" and t["verdict"] == args.kind and re.search(args.filter, t["file"])]
    if args.shuffle is not None:
        random.Random(args.shuffle).shuffle(tasks)
    return tasks[:args.limit]


def told(stories):
    """Lines and context switches of the stories; are they good?"""
    lines = [sum(step["needed"] for step in story["steps"]) for story in stories]
    quartiles = statistics.quantiles(lines, n=4) if len(lines) > 1 else lines * 3
    threaded = [story for story in stories if len(story["threads"]) > 1]
    found, left = sum(s["switches_as_found"] for s in threaded), sum(s["switches"] for s in threaded)
    print(f"stories: {len(stories)}; lines: median {statistics.median(lines)}, quartiles {quartiles}, most {max(lines)}; "
          f"context switches of {len(threaded)} with threads: {found} as found, {left} as told ({left / max(found, 1):.2f})")
    return statistics.median(lines) <= 25 and 2 * left <= found


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tasks", required=True)
    ap.add_argument("--raddle", default="target/release/raddle")
    ap.add_argument("--kind", choices=["false", "true"], default="false")
    ap.add_argument("--engine", default="auto")
    ap.add_argument("--seconds", type=float, default=20)
    ap.add_argument("--validate-seconds", type=float, default=20)
    ap.add_argument("--runs", type=int, default=10)
    ap.add_argument("--only", type=lambda text: text.split(","), default=["witness", "harness", "story"])
    ap.add_argument("--filter", default="")
    ap.add_argument("--limit", type=int)
    ap.add_argument("--shuffle", type=int)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--keep", help="leave witnesses and harnesses in this folder")
    ap.add_argument("--verbose", action="store_true", help="a line for each task")
    args = ap.parse_args()
    args.raddle = os.path.abspath(args.raddle)
    root = os.path.dirname(os.path.abspath(args.tasks))
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    tasks, answers, counts = chosen(args), [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for test in pool.map(lambda task: Test(args, root, task).run(), tasks):
            for why in test.failures:
                print(f"{test.task['file']}: {why}", flush=True)
            if args.verbose:
                switches = test.story and (test.story["switches_as_found"], test.story["switches"], sum(s["needed"] for s in test.story["steps"]))
                print(f"{test.task['file']}: {test.verdict} {test.found_in:.1f} s {test.checks} {switches or ''}", flush=True)
            if test.verdict.startswith(args.kind):
                answers.append(test)
                counts.update(check for check, passed in test.checks.items() if passed)
                counts.update(f"failed {check}" for check, passed in test.checks.items() if not passed)
    print(f"{len(tasks)} tasks, {len(answers)} answered {args.kind} within {args.seconds:g} s")
    good = not counts["failed not contradicted"]
    for check, least in [("witness", 1 if args.kind == "false" else 0.9), ("harness", 0.95)]:
        of = counts[check] + counts[f"failed {check}"]
        if of:
            print(f"{check}: {counts[check]} of {of} ({100 * counts[check] / of:.1f} %)")
            good &= counts[check] >= least * of
    print(f"contradicted: {counts['failed not contradicted']}")
    stories = [test.story for test in answers if test.story]
    if stories and "story" in args.only:
        good &= told(stories)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
