"""Raddle against gcc's sanitizers, on random sequential programs with planted mistakes.

Each program is asked for its property. Of a violation, the recorded inputs are given to the program as built with sanitizers: the first report must be of the same kind at the same line. Of a proof,
a few hundred runs with random inputs must be without report.

The executable counterexample of `--harness` has a runtime of its own in place of a sanitizer's, so inputs are taken from the witness. (The report leaves out inputs of which any value would do.)

What differs by design:
- UBSan checks `<<` by the rules of the -std; here C11. A shift by a negative count or by the width or more is undefined, but no overflow.
- A division by zero ends the path for Raddle, with any property; UBSan reports it and ends the run, which is the same.
- UBSan's index check counts an access past an inner array inside its object; programs have no such access.
- gcc computes `short s = a * b` in short, unsigned, and then UBSan has nothing to check; programs convert in a statement of its own.
- LeakSanitizer takes what stale stack slots and registers point to as reachable: both are switched off, since all programs end with `main`. It names the allocation, Raddle where the memory is lost or the end;
  for leaks, only the kind is compared.
- The runtime's redzones do not tell how far an access is from its object; programs do not jump over them.
"""
import collections, os, re, tempfile
from . import asking, sequential

HERE = os.path.dirname(os.path.abspath(__file__))
SANITIZE = ["-g", "-std=c11", "-w", "-fno-builtin", "-fno-omit-frame-pointer", "-fsanitize=undefined,address", "-fno-sanitize-recover=undefined", "-fsanitize-address-use-after-scope"]
ENVIRONMENT = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=1:abort_on_error=0:exitcode=99", "LSAN_OPTIONS": "use_stacks=0:use_registers=0:exitcode=99", "UBSAN_OPTIONS": "exitcode=99",
               "PATH": os.environ.get("PATH", "")}

Report = collections.namedtuple("Report", "kind line words")

# What UBSan and AddressSanitizer say, and which violation it is.
UNDEFINED = [(r"signed integer overflow|negation of|division of .* cannot be represented|left shift of", "no-overflow"),
             (r"null pointer|out of bounds|insufficient space|misaligned address", "valid-deref")]
ADDRESS = [(r"attempting double-free|attempting free on address|bad-free|alloc-dealloc", "valid-free"), (r"LeakSanitizer: detected memory leaks", "valid-memtrack"),
           (r"AddressSanitizer: \S*(overflow|underflow|use-after|SEGV|unknown-crash|negative-size)", "valid-deref")]


def first_report(words, source):
    """The first report of a sanitizer; None if there is none that is a violation."""
    name = re.escape(os.path.basename(source))
    undefined = re.search(rf"{name}:(\d+):\d+: runtime error: (.*)", words)
    address = re.search(r"ERROR: ((?:Address|Leak)Sanitizer: .*)", words)
    if undefined and (not address or undefined.start() < address.start()):
        for pattern, kind in UNDEFINED:
            if re.search(pattern, undefined.group(2)):
                return Report(kind, int(undefined.group(1)), undefined.group(2))
        return None
    if not address:
        return None
    for pattern, kind in ADDRESS:
        if re.search(pattern, address.group(1)):
            frame = re.search(rf"#\d+ .* in .*{name}:(\d+)", words[address.start():])
            return Report(kind, int(frame.group(1)) if frame else None, address.group(1).split(" on ")[0])
    return Report("?", None, address.group(1))


def build(source, binary):
    done = asking.run(["gcc", *SANITIZE, "-Dmain=program_main", source, "-x", "none", os.path.join(os.path.dirname(binary), "..", "inputs.o"), "-o", binary], 60)
    return done.returncode == 0, done.stderr


def recorded(witness):
    """What the input calls returned, in order."""
    if not os.path.exists(witness):
        return None
    with open(witness) as text:
        values = re.findall(r"value: .*\\result == \(?(-?\d+)[uUlL]*( - 1)?", text.read())
    return [str(int(value) - bool(less)) for value, less in values]


def confirm(story, verdict, witness, source, binary):
    """Does the sanitizer see the violation? The result for the table, and words for people."""
    inputs = recorded(witness)
    if inputs is None:
        return "NO WITNESS", ""
    with open(binary + ".inputs", "w") as out:
        out.write("\n".join(inputs) + "\n")
    done = asking.run([binary, binary + ".inputs"], 20, env=ENVIRONMENT)
    said, line = verdict[len("false("):-1], (story.get("place") or {}).get("line")
    seen = first_report(done.stderr, source)
    told = f"Raddle: {said} at line {line} with inputs {' '.join(inputs)}"
    if not seen:
        return "SILENT", f"{told}; no report, status {done.returncode} {done.stderr.strip()[:80]}"
    there = f"{told}; sanitizer: {seen.words[:100]} at line {seen.line}"
    if seen.kind != said:
        return "OTHER KIND", there
    if seen.line != line and said != "valid-memtrack":
        return "OTHER LINE", there
    return "agree", there


def one(args, folder, program):
    here = os.path.join(folder, str(program.seed))
    os.mkdir(here)
    source, binary = os.path.join(here, f"seed{program.seed}.c"), os.path.join(here, "program")
    with open(source, "w") as out:
        out.write(program.text)
    witness = os.path.join(here, "witness.yml")
    answer = asking.ask(args.raddle, source, program.property, args.seconds, args.engine, more=("--witness", witness))
    kind = asking.kind(answer.verdict)
    if kind in ("unknown", "failed"):
        return program, answer.verdict, kind, answer.words if kind == "failed" else ""
    built, words = build(source, binary)
    if not built:
        return program, answer.verdict, "NOT BUILT", words[:300]
    if kind == "false":
        return program, answer.verdict, *confirm(answer.story, answer.verdict, witness, source, binary)
    done = asking.run([binary, "random", str(args.runs), str(program.seed)], 120, env=ENVIRONMENT)
    seen = first_report(done.stderr, source)
    if seen and (seen.kind == "no-overflow") == (program.property == "no-overflow"):
        return program, answer.verdict, "WRONG", f"true, but {seen.words} at line {seen.line}"
    return program, answer.verdict, "agree", ""


def measure(args):
    """Exit status 1 where a sanitizer contradicts Raddle."""
    keep = asking.Keep(args.keep)
    programs = [sequential.program(args.seed * 1000000 + number, args.property or ("no-overflow", "valid-memsafety")) for number in range(args.count)]
    counts, reasons, missed = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        built = asking.run(["gcc", "-O1", "-c", os.path.join(HERE, "inputs.c"), "-o", os.path.join(folder, "inputs.o")], 60)
        if built.returncode != 0:
            raise SystemExit(built.stderr)
        for program, verdict, result, words in asking.in_parallel(args.jobs, lambda p: one(args, folder, p), programs):
            counts[program.property, asking.kind(verdict), result] += 1
            if result == "unknown":
                reasons[program.property, verdict] += 1
            if program.planted and verdict.startswith("true"):
                missed.append(program)
            if result not in ("agree", "unknown") or args.verbose:
                place = keep.text(f"seed{program.seed}.c", program.text) if result != "agree" else f"seed {program.seed}"
                print(f"{result} ({program.property}, planted: {program.planted}) {place}: {verdict} {words}", flush=True)
    results = sorted({result for _, _, result in counts})
    rows = [["property, verdict"] + results]
    for prop, kind in sorted({key[:2] for key in counts}):
        rows.append([f"{prop} {kind}"] + [counts[prop, kind, result] for result in results])
    asking.table(rows)
    for (prop, verdict), number in reasons.most_common():
        print(f"  {prop}: {verdict} {number}")
    print(f"{len(missed)} programs with a planted mistake were proved, and no run shows a mistake: " + " ".join(f"{p.seed}({p.planted})" for p in missed))
    wrong = sum(number for (_, _, result), number in counts.items() if result.isupper())
    print(f"{len(programs)} programs, {wrong} disagreements")
    return wrong == 0
