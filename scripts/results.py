#!/usr/bin/env python3
"""Can others use what Raddle found? Verifies the tasks of an index and puts the results to the test.

  scripts/results.py --tasks ../shared/tasks/index.tsv [--raddle target/release/raddle] [--kind false|true] [--engine auto]
          [--seconds 20] [--validate-seconds 20] [--runs 10] [--only witness,harness,story] [--filter REGEX] [--limit N] [--shuffle SEED]
          [--keep DIR] [--jobs 2]

Each task of the kind is verified once. Of each answer, `raddle validate` is to confirm the witness; of each violation, too, the harness is built and is to fail --runs times of
--runs ($CC compiles it; without 32-bit libraries, 32-bit tasks are built for this machine's own data model), and the lines and context switches of the story are counted. Prints a
line for each result that fails a test, and a summary. Exit status 1 if a violation was not confirmed, if fewer than 90 % of proofs or 95 % of harnesses are, if a validator contradicts
the verifier, or if stories are long (a median above 25 lines, more than half of the context switches in folded traces).
"""
import argparse, collections, concurrent.futures, csv, json, os, random, re, shutil, statistics, subprocess, sys, tempfile, time


def run(command, seconds):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "a process hangs")


# A line of a trace: the number of its step, or the steps that it stands for.
LINE = re.compile(r"^ *\d+[ ↷]  |^    [ ↷]  [│● ]* *…")


def told_in(text, report):
    """Of a story as text, and of the report with the same story: printed lines, steps that the violation depends on, and context switches as found, as told with all steps, and as told
    without the folded ones."""
    data = os.path.exists(report) and re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', open(report).read(), re.S)
    story = json.loads(data.group(1))["story"] if data else None
    if not story:
        return None
    lines = sum(bool(LINE.match(line)) for line in text.splitlines())
    needed = [step["t"][0] for step in story["steps"] if not step.get("folded")]
    return lines, len(needed), story["switches_as_found"], story["switches"], sum(a != b for a, b in zip(needed, needed[1:]))


def last_line(text):
    return (text.strip().splitlines() or [""])[-1]


class Test:
    """One task, and what became of it."""

    def __init__(self, args, root, task):
        self.args, self.task = args, task
        self.folder = tempfile.mkdtemp(prefix=re.sub(r"\W+", "-", os.path.basename(task["file"]))[:60] + "-", dir=args.keep)
        self.common = ["--no-config", "--jobs", "1", "--data-model", task["data_model"], "--property",
                       os.path.join(root, "properties", task["property"] + ".prp"), os.path.join(root, task["file"])]
        self.failures, self.story, self.checks, self.invariants = [], None, {}, 0

    def run(self):
        witness, harness, report = (os.path.join(self.folder, name) for name in ["witness.yml", "harness", "report.html"])
        command = [self.args.raddle, "verify", "--engine", self.args.engine, "--timeout", f"{self.args.seconds}s", "--witness", witness]
        if self.args.kind == "false":
            command += ["--harness", harness, "--report", report]
        start = time.monotonic()
        done = run(command + self.common, 10 * self.args.seconds + 60)
        self.found_in = time.monotonic() - start
        self.verdict = last_line(done.stdout).removeprefix("VERDICT: ")
        if not self.verdict.startswith(("true", "false", "unknown")):
            self.failures.append(f"no verdict, status {done.returncode}: {last_line(done.stderr)}")
        self.story = told_in(done.stdout, report)
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
        self.invariants = open(witness).read().count("- invariant:")
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
    lines, needed, found, left, folded = map(list, zip(*stories))
    quartiles = statistics.quantiles(lines, n=4) if len(lines) > 1 else lines * 3
    print(f"stories: {len(stories)}; lines as printed: median {statistics.median(lines)}, quartiles {quartiles}, most {max(lines)}; "
          f"needed steps: median {statistics.median(needed)}; context switches: {sum(found)} as found, {sum(left)} as told ({sum(left) / max(sum(found), 1):.2f}), "
          f"{sum(folded)} of folded traces ({sum(folded) / max(sum(found), 1):.2f})")
    return statistics.median(lines) <= 25 and 2 * sum(folded) <= sum(found)


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
                print(f"{test.task['file']}: {test.verdict} {test.found_in:.1f} s {test.checks} {test.story or ''}", flush=True)
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
    if args.kind == "true":
        print(f"witnesses with invariants: {sum(test.invariants > 0 for test in answers)}, of {sum(test.invariants for test in answers)} invariants")
    print(f"contradicted: {counts['failed not contradicted']}")
    stories = [test.story for test in answers if test.story]
    if stories and "story" in args.only:
        good &= told(stories)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
