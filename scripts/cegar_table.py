#!/usr/bin/env python3
"""Tables 3.1 and 4.1 for Raddle: configurations of the engine cegar over a set of tasks, as markdown.

  cegar_table.py --tasks INDEX.tsv --raddle PATH --results FILE.tsv [--category REGEX] [--cpu 10] [--limit N] [--shuffle SEED] [--jobs 2] [--configs NAME,...]
  cegar_table.py --results FILE.tsv        only prints the tables

A configuration is DOMAIN/POR/COI, as the options of the same names have it. What a run found goes to the results at once, and what is there already is not run
again, so that an interrupted table goes on where it was. Within each table, configurations of one domain are compared over the tasks that all of them solve.
"""
import argparse, concurrent.futures, csv, json, os, random, re, subprocess, sys, tempfile

DOMAINS = ["expl", "pred-cart"]
# For each table, what is compared within one domain.
TABLES = [
    ("Partial-order reduction (Table 3.1)", ["spor/none", "aaspor/none"]),
    ("Cone of influence (Table 4.1)", ["spor/none", "spor/dynamic", "aaspor/none", "aaspor/dynamic"]),
]
CONFIGS = [f"{domain}/{rest}" for domain in DOMAINS for rest in TABLES[1][1]]
FIGURES = ["iterations", "nodes", "explored_actions", "solver_calls", "statements", "statements_havocked", "statements_removed",
           "build_seconds", "refine_seconds", "check_seconds"]
COLUMNS = ["file", "config", "cpu_limit", "expected", "verdict", "cpu_seconds", *FIGURES]

def run(raddle, root, task, config, cpu):
    domain, por, coi = config.split("/")
    row = {"file": task["file"], "config": config, "cpu_limit": cpu, "expected": task["verdict"], "verdict": "none"}
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.json")
        prp = os.path.join(root, "properties", "unreach-call.prp")
        command = [raddle, "--engine", "cegar", "--domain", domain, "--por", por, "--coi", coi, "--property", prp, "--quiet",
                   "--data-model", task["data_model"].lower(), "--timeout", f"{cpu}s", "--memory", "4GB", "--stats", stats,
                   os.path.join(root, task["file"])]
        try:
            out = subprocess.run(command, capture_output=True, text=True, timeout=cpu * 10 + 30).stdout
            row["verdict"] = (re.findall(r"^VERDICT: (\w+(?:\([\w-]+\))?)", out, re.M) or ["none"])[-1]
            with open(stats) as file:
                all_stats = json.load(file)
            row["cpu_seconds"] = all_stats["cpu_seconds"]
            row.update({key: all_stats["turns"][-1]["statistics"][key] for key in FIGURES})
        except subprocess.TimeoutExpired:
            row["verdict"] = "timeout"
        except (OSError, KeyError, ValueError):
            pass
    return row

def read(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return list(csv.DictReader(file, delimiter="\t"))

def run_all(args):
    root = os.path.dirname(args.tasks)
    with open(args.tasks) as file:
        tasks = [row for row in csv.DictReader(file, delimiter="\t")
                 if row["property"] == "unreach-call" and re.search(args.category, row["category"])]
    if args.shuffle is not None:
        random.Random(args.shuffle).shuffle(tasks)
    tasks = tasks[:args.limit]
    done = {(row["file"], row["config"]) for row in read(args.results)}
    is_new = not done
    with open(args.results, "a") as file, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        if is_new:
            writer.writeheader()
        # All configurations of a task one after the other, so that a busy machine is equally busy for all.
        jobs = [pool.submit(run, args.raddle, root, task, config, args.cpu)
                for task in tasks for config in args.configs.split(",") if (task["file"], config) not in done]
        for job in jobs:
            writer.writerow(job.result())
            file.flush()

def answer(row):
    """Without what follows in brackets: the property that is violated, or why nothing is known."""
    return row["verdict"].partition("(")[0]

def is_solved(row):
    return answer(row) == row["expected"] and row["cpu_seconds"] != ""

def is_wrong(row):
    return answer(row) in ("true", "false") and answer(row) != row["expected"]

def table(title, domain, rests, by_config):
    configs = [f"{domain}/{rest}" for rest in rests if f"{domain}/{rest}" in by_config]
    if len(configs) < 2:
        return
    # Only tasks that all of them were asked about.
    asked = set.intersection(*(set(by_config[config]) for config in configs))
    common = sorted(file for file in asked if all(is_solved(by_config[config][file]) for config in configs))
    print(f"\n{title}, `{domain}`: {len(asked)} tasks, figures over the {len(common)} that all solve.\n")
    print("| por | coi | solved | wrong | explored actions | mean | against the first | proofs | violations | simplified | removed | havocked | build s | CPU s |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    def against_first(config, verdicts):
        """How many more actions than the first configuration, over the tasks with these verdicts."""
        files = [file for file in common if by_config[config][file]["expected"] in verdicts]
        of = lambda which: sum(float(by_config[which][file]["explored_actions"]) for file in files)
        return f"{100 * of(config) / of(configs[0]) - 100:+.1f} %" if of(configs[0]) else ""
    for config in configs:
        _, por, coi = config.split("/")
        rows = [by_config[config][file] for file in common]
        total = lambda key: sum(float(row[key]) for row in rows)
        # As in the theses, the mean of the shares of the tasks.
        def share(*keys):
            shares = [sum(float(row[key]) for key in keys) / float(row["statements"]) for row in rows if float(row["statements"])]
            return 100 * sum(shares) / max(1, len(shares))
        actions = total("explored_actions")
        solved = sum(is_solved(by_config[config][file]) for file in asked)
        wrong = sum(is_wrong(by_config[config][file]) for file in asked)
        print(f"| {por} | {coi} | {solved} | {wrong} | {actions:,.0f} | {actions / max(1, len(rows)):,.0f} | {against_first(config, ('true', 'false'))} "
              f"| {against_first(config, ('true',))} | {against_first(config, ('false',))} "
              f"| {share('statements_havocked', 'statements_removed'):.1f} % | {share('statements_removed'):.1f} % "
              f"| {share('statements_havocked'):.1f} % | {total('build_seconds'):.1f} | {total('cpu_seconds'):.1f} |")
    for config in configs[1:]:
        def counts(verdict):
            """In how many tasks it explores fewer, as many, and more actions than the first configuration."""
            pairs = [[float(by_config[c][file]["explored_actions"]) for c in (config, configs[0])]
                     for file in common if by_config[config][file]["expected"] == verdict]
            return f"fewer in {sum(a < b for a, b in pairs)}, as many in {sum(a == b for a, b in pairs)}, more in {sum(a > b for a, b in pairs)}"
        print(f"\n{config.partition('/')[2]} explores {counts('true')} of the proofs, {counts('false')} of the violations.")

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tasks")
    ap.add_argument("--raddle")
    ap.add_argument("--results", required=True)
    ap.add_argument("--category", default="^ConcurrencySafety-Main$")
    ap.add_argument("--cpu", type=int, default=10)
    ap.add_argument("--limit", type=int)
    ap.add_argument("--shuffle", type=int)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--configs", default=",".join(CONFIGS))
    args = ap.parse_args()
    if args.raddle and args.tasks:
        # Otherwise every run would count as one without an answer.
        if not os.access(args.raddle, os.X_OK):
            ap.error(f"{args.raddle} cannot be run")
        run_all(args)
    by_config = {}
    for row in read(args.results):
        by_config.setdefault(row["config"], {})[row["file"]] = row
    for title, rests in TABLES:
        for domain in DOMAINS:
            table(title, domain, rests, by_config)
    wrong = [row for rows in by_config.values() for row in rows.values() if is_wrong(row)]
    for row in wrong:
        print(f"WRONG {row['config']} {row['file']}: said {row['verdict']}")
    sys.exit(1 if wrong else 0)

if __name__ == "__main__":
    main()
