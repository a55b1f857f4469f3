#!/usr/bin/env python3
"""The figures of docs/portfolio.md, from results of `raddle suite run`, on the tasks that all configurations of a file were run on.

  scripts/portfolio_figures.py strategies RESULTS...      solved by category, CPU time of `default` against each other one
  scripts/portfolio_figures.py promptness SINGLES RESULTS how long `default` takes where a single configuration needs 1 s at most
  scripts/portfolio_figures.py jobs RESULTS               wall time of the configuration `jobs2` against `jobs1` where that takes more than 2 s
  scripts/portfolio_figures.py steps RESULTS              which steps of `default` have the answers
  scripts/portfolio_figures.py growth SINGLES...          promptness of the four steps of `default` by the growth of slices, computed from the single runs
"""
import collections, json, sys

def read(*paths):
    """By task, the records by configuration, where the last file counts; and the names of configurations."""
    names, tasks = [], collections.defaultdict(dict)
    for line in (line for path in paths for line in open(path)):
        record = json.loads(line)
        if "task" in record:
            tasks[record["task"]][record["configuration"]] = record
        else:
            names += [name for name, _ in record["configurations"] if name not in names]
    return names, {task: runs for task, runs in tasks.items() if len(runs) == len(names)}

def is_right(record):
    return record["answer"] == ("true" if record["expected"] else "false")

def is_wrong(record):
    return record["answer"] in ("true", "false") and not is_right(record)

def strategies(*paths):
    names, tasks = read(*paths)
    wrong = sum(is_wrong(run) for runs in tasks.values() for run in runs.values())
    print(f"{len(tasks)} tasks, {wrong} wrong answers\n")
    rows = collections.defaultdict(list)
    for runs in tasks.values():
        rows[next(iter(runs.values()))["category"]].append(runs)
    print("| category | tasks | " + " | ".join(names) + " | any |")
    print("|---" * (len(names) + 3) + "|")
    for category, all_runs in sorted(rows.items()) + [("all", list(tasks.values()))]:
        solved = [sum(is_right(runs[name]) for runs in all_runs) for name in names]
        union = sum(any(map(is_right, runs.values())) for runs in all_runs)
        print(f"| {category} | {len(all_runs)} | " + " | ".join(map(str, solved)) + f" | {union} |")
    print()
    for name in names:
        if name != "default":
            both = [runs for runs in tasks.values() if is_right(runs["default"]) and is_right(runs[name])]
            ours, theirs = (sum(runs[n]["cpu"] for runs in both) for n in ("default", name))
            print(f"default : {name}, {len(both)} tasks solved by both: {ours:.1f} s : {theirs:.1f} s = {ours / theirs:.2f}")

def promptness(singles, results):
    _, single_runs = read(singles)
    _, tasks = read(results)
    kept = total = 0
    for task, runs in tasks.items():
        single = [run for name, run in single_runs.get(task, {}).items() if name != "default"]
        best = min((run["cpu"] for run in single if is_right(run)), default=9)
        if best <= 1:
            total += 1
            is_kept = is_right(runs["default"]) and runs["default"]["cpu"] <= 3 * best + 0.3
            kept += is_kept
            if not is_kept:
                print(f"{task}: best {best:.2f} s, default {runs['default']['cpu']:.2f} s, {runs['default']['answer']}")
    print(f"{kept} of {total} tasks ({100 * kept / total:.1f} %): at most 3 times as long plus 0.3 s")

def jobs(path):
    _, tasks = read(path)
    one = two = count = 0
    for task, runs in sorted(tasks.items()):
        if all(map(is_right, runs.values())) and runs["jobs1"]["wall"] > 2:
            count += 1
            one += runs["jobs1"]["wall"]
            two += runs["jobs2"]["wall"]
            print(f"{task}: {runs['jobs1']['wall']:.2f} s, {runs['jobs2']['wall']:.2f} s")
    print(f"{count} tasks: {one:.1f} s with one job, {two:.1f} s with two: {two / one:.2f}")

def steps(path):
    _, tasks = read(path)
    answers = collections.Counter(runs["default"].get("step") for runs in tasks.values() if is_right(runs["default"]))
    for step, count in answers.most_common():
        print(f"{step}: {count}")

STEPS = ["explore", "oc", "values", "pred"]

def rounds(runs, steps):
    """CPU time until the first right answer of steps (name, first slice, growth) that take turns; None if there is none within 10 s."""
    had, slices, open_steps, cpu = [0] * len(steps), [step[1] for step in steps], list(range(len(steps))), 0
    while open_steps and cpu < 10:
        for i in list(open_steps):
            run = runs[steps[i][0]]
            turn = run["cpu"] - had[i] if open_steps == [i] else min(slices[i], run["cpu"] - had[i])
            had[i], cpu, slices[i] = had[i] + turn, cpu + turn, slices[i] * steps[i][2]
            if had[i] >= run["cpu"] - 1e-9:
                if is_right(run):
                    return cpu
                open_steps.remove(i)
    return None

def growth(*paths):
    tasks = {}
    for path in paths:
        for task, runs in read(path)[1].items():
            tasks[task] = {("values" if name == "expl-err" else name): run for name, run in runs.items()}
    own = lambda runs, names: min((runs[name]["cpu"] for name in names if is_right(runs[name])), default=99)
    alone = [runs for runs in tasks.values() if own(runs, ["values"]) * 3 + 0.3 < own(runs, ["explore", "oc", "pred"])]
    early = sum(own(runs, ["values"]) <= 0.15 for runs in alone)
    print(f"{len(tasks)} tasks; {len(alone)} that `values` solves and no other within 3 times as long plus 0.3 s, {early} of them within 0.15 s\n")
    print("| first slice | growth | growth of values | prompt | solved |\n|---|---|---|---|---|")
    for slice_, all_, values in [(s, g, g) for s in (0.02, 0.03, 0.04) for g in (1.0, 1.2, 1.5, 2.0)] + [(0.02, 1.4, 1.4), (0.02, 1.4, 1.2)]:
        steps = [(name, slice_, values if name == "values" else all_) for name in STEPS]
        times = [(own(runs, STEPS), rounds(runs, steps)) for runs in tasks.values()]
        quick = [(best, time) for best, time in times if best <= 1]
        kept = sum(time is not None and time <= 3 * best + 0.3 for best, time in quick)
        solved = sum(time is not None for _, time in times)
        print(f"| {slice_} s | {all_} | {values} | {kept} of {len(quick)} ({100 * kept / len(quick):.1f} %) | {solved} |")

if __name__ == "__main__":
    commands = {"strategies": strategies, "promptness": promptness, "jobs": jobs, "steps": steps, "growth": growth}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
