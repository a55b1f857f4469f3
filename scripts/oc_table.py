#!/usr/bin/env python3
"""Table 5.1 for Raddle: configurations of the engine oc over a set of tasks, in one run.

  oc_table.py --tasks INDEX.tsv --raddle PATH [--category REGEX] [--cpu 10] [--limit N] [--shuffle SEED] [--jobs 2] [--configs NAME,...]

For each configuration: how many tasks were solved and how many wrongly, and averages per task over the tasks that all configurations solve:
CPU time, conflicts found before solving, clauses that the decision procedure added (conflicts and propagations of the theory, or refinements), solver
time, and the SAT solver's conflicts, decisions and propagations.
"""
import argparse, concurrent.futures, csv, json, os, random, re, subprocess, sys, tempfile

CONFIGS = {
    "BASIC": ["--oc-decision", "basic", "--oc-conflicts", "none"],
    "BASIC+OPT": ["--oc-decision", "basic", "--oc-conflicts", "simple"],
    "PROP": ["--oc-conflicts", "none", "--oc-decide", "solver"],
    "PROP+OPT": ["--oc-conflicts", "simple", "--oc-decide", "solver"],
    "PROP+GEN2": ["--oc-conflicts", "generic", "--oc-conflict-bound", "2", "--oc-decide", "solver"],
    "PROP closest": ["--oc-decide", "closest"],
    "PROP along po": ["--oc-decide", "program-order"],
    "PROP mixed": ["--oc-decide", "mixed"],
}

def run(raddle, root, task, options, cpu, extra):
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.json")
        prp = os.path.join(root, "properties", "unreach-call.prp")
        command = [raddle, "--engine", "oc", "--property", prp, "--data-model", task["data_model"].lower(), "--quiet",
                   "--timeout", f"{cpu}s", "--memory", "4GB", "--stats", stats, *options, *extra,
                   os.path.join(root, task["file"])]
        try:
            out = subprocess.run(command, capture_output=True, text=True, timeout=cpu * 3 + 10).stdout
        except subprocess.TimeoutExpired:
            return "timeout", None
        verdict = re.findall(r"^VERDICT: (\w+)", out, re.M)
        try:
            with open(stats) as file:
                return (verdict or ["none"])[-1], json.load(file)
        except OSError:
            return (verdict or ["none"])[-1], None

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tasks", required=True)
    ap.add_argument("--raddle", required=True)
    ap.add_argument("--category", default="^ConcurrencySafety-Main$")
    ap.add_argument("--cpu", type=int, default=10)
    ap.add_argument("--limit", type=int)
    ap.add_argument("--shuffle", type=int)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--configs", default=",".join(CONFIGS))
    ap.add_argument("--trust-bound", action="store_true")
    args = ap.parse_args()
    root = os.path.dirname(args.tasks)
    with open(args.tasks) as file:
        tasks = [row for row in csv.DictReader(file, delimiter="\t")
                 if row["property"] == "unreach-call" and re.search(args.category, row["category"])]
    if args.shuffle is not None:
        random.Random(args.shuffle).shuffle(tasks)
    tasks = tasks[:args.limit]
    configs = args.configs.split(",")
    extra = ["--trust-bound"] if args.trust_bound else []
    results, wrong = {}, []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        # All configurations of a task one after the other, so that a busy machine is equally busy for all.
        jobs = [(task, name, pool.submit(run, args.raddle, root, task, CONFIGS[name], args.cpu, extra))
                for task in tasks for name in configs]
        for task, name, job in jobs:
            verdict, stats = job.result()
            if verdict in ("true", "false") and verdict != task["verdict"]:
                wrong.append((name, task["file"], verdict))
            results[task["file"], name] = (verdict == task["verdict"], stats)
    common = [t for t in tasks if all(results[t["file"], n][0] and results[t["file"], n][1] for n in configs)]
    print(f"{len(tasks)} tasks, {args.cpu} s each; averages over the {len(common)} that all configurations solve")
    columns = ["solved", "wrong", "cpu s", "static", "clauses", "solver s", "conflicts", "decisions", "propagations"]
    print(f"{'configuration':14}" + "".join(f"{c:>13}" for c in columns))
    for name in configs:
        solved = sum(results[t["file"], name][0] for t in tasks)
        def mean(value):
            return sum(value(results[t["file"], name][1]) for t in common) / max(1, len(common))
        oc = lambda key: lambda stats: stats["turns"][-1]["statistics"].get(key, 0)
        row = [
            mean(lambda s: s["cpu_seconds"]),
            mean(lambda s: sum(s["turns"][-1]["statistics"]["static_conflicts"].values())),
            mean(lambda s: sum(s["turns"][-1]["statistics"][k] for k in ("refinement_clauses", "theory_conflicts", "theory_propagations"))),
            mean(oc("solver_seconds")), mean(oc("conflicts")), mean(oc("decisions")), mean(oc("propagations")),
        ]
        bad = sum(w[0] == name for w in wrong)
        print(f"{name:14}{solved:13}{bad:13}" + "".join(f"{x:13.3f}" if x < 10 else f"{x:13.0f}" for x in row))
    for name, file, verdict in wrong:
        print(f"WRONG {name} {file}: said {verdict}")
    sys.exit(1 if wrong else 0)

if __name__ == "__main__":
    main()
