"""Engine against engine: where two engines give a verdict, it is the same one.

`agree` asks about random programs with threads, `two_engines` about the tasks of an index. Engines share the front end and what a property adds to a Program, so random programs are run natively with a sanitizer, too: a
violation in a run counts like the verdict of one more engine. Of valid-memsafety, engines may meet different violations of one program first: all count as `false`.
"""
import collections, os, tempfile
from . import asking, native, tasks, threaded

ENGINES = ["explore", "oc", "cegar", "auto"]


class Tally:
    """Verdicts by engine, and the programs on which engines disagree."""

    def __init__(self, engines):
        self.engines, self.verdicts, self.pairs, self.disagreements, self.reasons = engines, collections.Counter(), collections.Counter(), 0, collections.Counter()
        self.outcomes = collections.Counter()

    def add(self, answers):
        """Do the engines agree?"""
        kinds = {engine: asking.kind(answer.verdict) for engine, answer in answers.items()}
        definite = {engine: kind for engine, kind in kinds.items() if kind in ("true", "false")}
        for engine, answer in answers.items():
            self.verdicts[engine, kinds[engine]] += 1
            if kinds[engine] in ("unknown", "failed"):
                self.reasons[engine, answer.verdict] += 1
        for one in definite:
            for other in definite:
                if one < other:
                    self.pairs[one, other, "same" if definite[one] == definite[other] else "DIFFERENT"] += 1
        agreed = len(set(definite.values())) <= 1
        self.disagreements += not agreed
        self.outcomes["DISAGREE" if not agreed else "no verdict" if not definite else f"{next(iter(definite.values()))} by {'one engine' if len(definite) == 1 else 'several'}"] += 1
        return agreed

    def show(self):
        kinds = ["true", "false", "unknown", "failed"]
        asking.table([["engine"] + kinds] + [[engine] + [self.verdicts[engine, kind] for kind in kinds] for engine in self.engines])
        asking.table([["both answer", "same", "DIFFERENT"]] + [[f"{one}, {other}", self.pairs[one, other, "same"], self.pairs[one, other, "DIFFERENT"]]
                                                              for one, other in sorted({pair[:2] for pair in self.pairs})])
        for (engine, verdict), number in self.reasons.most_common():
            print(f"  {engine}: {verdict} {number}")
        print(", ".join(f"{name}: {number}" for name, number in sorted(self.outcomes.items())))
        print(f"{sum(self.outcomes.values())} programs, {self.disagreements} disagreements")


def ask_all(args, file, prop, data_model="lp64"):
    return {engine: asking.ask(args.raddle, file, prop, args.seconds, engine, data_model) for engine in args.engines}


def told(answers):
    return ", ".join(f"{engine} {answer.verdict}" + (f" at line {answer.story['place']['line']}" if answer.story and answer.story.get("place") else "") for engine, answer in answers.items())


def agree(args):
    """Exit status 1 where two engines give different verdicts on a random program, or an engine fails."""
    keep, good, common = asking.Keep(args.keep), True, tempfile.TemporaryDirectory()
    environment = native.environment(common.name)

    def one(program):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, f"{program.property}-seed{program.seed}.c")
            with open(file, "w") as out:
                out.write(program.text)
            answers = ask_all(args, file, program.property)
            if args.runs:
                answers["native"] = native.violation(program.text, file, program.property, folder, environment, args.runs, args.seed)
            return program, answers

    everyone = args.engines + ["native"] * bool(args.runs)
    for prop in args.property or sorted(threaded.FEATURES):
        tally = Tally(everyone)
        programs = [threaded.program(args.seed * 1000000 + number, prop) for number in range(args.count)]
        for program, answers in asking.in_parallel(args.jobs, one, programs):
            agreed = tally.add(answers)
            failed = [f"{engine} {answer.words}" for engine, answer in answers.items() if answer.verdict == "failed"]
            if not agreed or failed or args.verbose:
                name = f"{prop}-seed{program.seed}.c"
                place = name if agreed and not failed else keep.text(name, program.text)
                print(f"{'' if agreed else 'DISAGREE '}{place}: {told(answers)} {'; '.join(failed)}", flush=True)
            good &= agreed and not failed
        print(f"{prop}, {args.seconds:g} s")
        tally.show()
    return good


def two_engines(args):
    """Exit status 1 where two engines give different verdicts on a task."""
    keep, tally = asking.Keep(args.keep), Tally(args.engines)
    prop, wrong = tasks.property_file(args, args.property), 0
    chosen = tasks.with_threads(args, ("unreach-call",))[:args.count]
    for task, answers in asking.in_parallel(args.jobs, lambda task: (task, ask_all(args, task.path, prop, task.data_model)), chosen):
        agreed = tally.add(answers)
        if not agreed or args.verbose:
            print(f"{'' if agreed else 'DISAGREE '}{task.name if agreed else keep.copy(task.path)}: {told(answers)}", flush=True)
    tally.show()
    return tally.disagreements == 0
