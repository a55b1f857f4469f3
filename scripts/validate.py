#!/usr/bin/env python3
"""Verifies tasks with a witness, validates the witness, and says which ones were not confirmed.

  scripts/validate.py --tasks ../shared/tasks/index.tsv [--raddle target/release/raddle] [--kind false|true]
          [--engine auto] [--seconds 20] [--validate-seconds 20] [--filter REGEX] [--limit N] [--shuffle SEED] [--jobs 2]

Runs `raddle verify --witness` on each, and `raddle validate --witness` on each that has the verdict of the kind. Prints a line for each that was not confirmed, and a table.
Exit status 1 if a violation was not confirmed, if fewer than 90 % of proofs were, or if a validator contradicts the verifier.
"""
import argparse, collections, concurrent.futures, csv, os, random, re, subprocess, sys, tempfile, time


def call(command, seconds):
    """The last line of the output, what stands before it, and the time."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds * 3 + 30, errors="replace")
        lines = done.stdout.strip().splitlines() or [""]
        words = [line for line in lines[:-1] + done.stderr.splitlines() if not line.startswith("raddle")]
        return lines[-1].removeprefix("VERDICT: "), words, time.monotonic() - start
    except subprocess.TimeoutExpired:
        return "hangs", [], time.monotonic() - start


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tasks", required=True)
    ap.add_argument("--raddle", default="target/release/raddle")
    ap.add_argument("--kind", choices=["false", "true"], default="false")
    ap.add_argument("--engine", default="auto")
    ap.add_argument("--validate-engine", default="auto")
    ap.add_argument("--seconds", type=float, default=20)
    ap.add_argument("--validate-seconds", type=float, default=20)
    ap.add_argument("--filter", default="")
    ap.add_argument("--limit", type=int)
    ap.add_argument("--shuffle", type=int)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--keep", help="keep witnesses in this folder")
    args = ap.parse_args()
    root = os.path.dirname(os.path.abspath(args.tasks))
    with open(args.tasks) as f:
        tasks = [t for t in csv.DictReader(f, delimiter="\t")
                 if re.search(args.filter, t["file"]) and t["property"] == "unreach-call" and t["verdict"] == args.kind]
    if args.shuffle is not None:
        random.Random(args.shuffle).shuffle(tasks)
    tasks = tasks[:args.limit]
    folder = args.keep or tempfile.mkdtemp(prefix="validate-")
    os.makedirs(folder, exist_ok=True)

    def job(numbered):
        number, task = numbered
        witness = os.path.join(folder, f"{number}-{os.path.basename(task['file'])}.yml")
        if os.path.exists(witness):
            os.remove(witness)
        common = ["--property", os.path.join(root, "properties", task["property"] + ".prp"), "--data-model", task["data_model"],
                  "--jobs", "1", os.path.join(root, task["file"])]
        verify = [args.raddle, "verify", "--engine", args.engine, "--timeout", f"{args.seconds}s", "--witness", witness]
        verdict, words, found = call(verify + common, args.seconds)
        if not verdict.startswith(args.kind):
            return task, "not found", "", found, 0
        if not os.path.exists(witness):
            return task, "no witness", words[-1] if words else "", found, 0
        check = [args.raddle, "validate", "--engine", args.validate_engine, "--timeout", f"{args.validate_seconds}s", "--witness", witness]
        again, words, checked = call(check + common, args.validate_seconds)
        if not args.keep:
            os.remove(witness)
        if again == verdict:
            return task, "confirmed", "", found, checked
        contradicts = again.startswith(("true", "false"))
        why = f"{again}: " + " ".join((words or [""])[:1])[:200]
        return task, "contradicted" if contradicts else "not confirmed", why, found, checked

    counts, reasons, times = collections.Counter(), collections.Counter(), [0.0, 0.0]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for task, what, why, found, checked in pool.map(job, enumerate(tasks)):
            counts[what] += 1
            if what == "confirmed":
                times[0] += found
                times[1] += checked
            elif what != "not found":
                reasons[re.sub(r"\S+:\d+(:\d+)?: ", "", why)[:100]] += 1
                print(f"{what}: {task['file']} ({found:.1f} s, {checked:.1f} s) {why}", flush=True)
    have = sum(counts.values()) - counts["not found"]
    share = counts["confirmed"] / max(have, 1)
    print(f"{args.kind}: {len(tasks)} tasks, {have} found, {have - counts['no witness']} with a witness, {counts['confirmed']} confirmed ({100 * share:.1f} %), "
          f"{counts['contradicted']} contradicted; {times[0]:.1f} s to find, {times[1]:.1f} s to confirm")
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    least = 1 if args.kind == "false" else 0.9
    sys.exit(0 if share >= least and not counts["contradicted"] else 1)


if __name__ == "__main__":
    main()
