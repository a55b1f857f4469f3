"""Raddle against ThreadSanitizer: where a native run of a task shows a data race, Raddle must not say `true`.

Programs run with random inputs and random delays (native.py). ThreadSanitizer exists for 64-bit machines only, so 32-bit tasks are built for the machine's own data model. What differs by design is reported apart (thread_reports.py).
"""
import collections, tempfile
from . import asking, native, tasks
from .thread_reports import difference, races


def one(args, environment, task):
    with tempfile.TemporaryDirectory() as folder:
        with open(task.path, errors="replace") as source:
            binary, why = native.build(source.read(), task.path, folder, environment, ["-fsanitize=thread", "-O1"])
        if not binary:
            return task, None, None, why
        seen, ran = [], collections.Counter()
        for number in range(args.runs):
            done = native.run(binary, args.seed * 1000 + number, 2)
            ran["late" if done.returncode == -1 else "ended"] += 1
            seen += races(done.stderr)
            if seen and number >= args.runs // 3:
                break
        answer = asking.ask(args.raddle, task.path, tasks.property_file(args, "no-data-race"), args.seconds, data_model=task.data_model)
        return task, seen, answer, f"{ran['late']} runs stopped" if ran["late"] else ""


def measure(args):
    """Exit status 1 where a run shows a data race and Raddle says that there is none."""
    keep, counts, skipped, wanted = asking.Keep(args.keep), collections.Counter(), collections.Counter(), args.count
    chosen, measured = tasks.with_threads(args), 0
    with tempfile.TemporaryDirectory() as folder:
        environment = native.environment(folder)
        while chosen and measured < wanted:
            batch, chosen = chosen[:wanted - measured], chosen[wanted - measured:]
            for task, seen, answer, words in asking.in_parallel(args.jobs, lambda t: one(args, environment, t), batch):
                if answer is None:
                    skipped[words.split(":")[0]] += 1
                    if args.verbose:
                        print(f"passed over {task.name}: {words}", flush=True)
                    continue
                measured += 1
                with open(task.path, errors="replace") as source:
                    text = source.read()
                real = [race for race in seen if not difference(race, text)]
                how = "race" if real else difference(seen[0], text) + " only" if seen else "no race"
                kind = asking.kind(answer.verdict)
                counts[how, kind] += 1
                told = real or seen
                detail = f"{told[0].first} and {told[0].second} on {told[0].location}" if told else words
                if kind == "true" and seen:
                    print(f"{'WRONG' if real else 'differs'} {keep.copy(task.path)} ({task.property} {task.verdict}): {answer.verdict}, but {how}: {detail}", flush=True)
                elif args.verbose or kind == "failed":
                    print(f"{task.name}: {answer.verdict}; {how}: {detail} {answer.words if kind == 'failed' else ''}", flush=True)
    kinds = ["true", "false", "unknown", "failed"]
    asking.table([["ThreadSanitizer"] + kinds] + [[how] + [counts[how, kind] for kind in kinds] for how in sorted({how for how, _ in counts})])
    print(f"{measured} programs; passed over: {dict(skipped)}; {counts['race', 'true']} WRONG")
    return counts["race", "true"] == 0
