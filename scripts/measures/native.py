"""Programs with threads run natively, built with a sanitizer, with random inputs and random delays (threads.c).

A run shows violations and never that there are none. Preprocessed 32-bit programs bring along the types of the thread library for 32 bits; they are made large enough for this machine.
"""
import os, re, subprocess, time
from . import asking, thread_reports

HERE = os.path.dirname(os.path.abspath(__file__))
WRAPPED = ["pthread_create", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_join"]


def environment(folder):
    """Compiles what all programs are linked with."""
    compiled = os.path.join(folder, "threads.o")
    done = asking.run(["gcc", "-O1", "-pthread", "-D_GNU_SOURCE", "-c", os.path.join(HERE, "threads.c"), "-o", compiled], 60)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return compiled


def native_source(text):
    """The program with types of the thread library that are large enough for this machine."""
    return re.sub(r"char __size\[(\d+)\]", lambda size: f"char __size[{max(64, int(size.group(1)))}]", text)


def atomic_functions(text):
    """Functions that the program defines as atomic sections; None where one of them cannot be named from outside."""
    names = set(re.findall(r"\b(__VERIFIER_atomic_\w+)\s*\([^;{}]*\)\s*\{", text)) - {"__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"}
    if any(re.search(rf"\b(static|inline)\b[^;{{}}]*\b{name}\s*\(", text) for name in names):
        return None
    return sorted(names)


def build(text, path, folder, compiled_environment, flags):
    """The binary of a program with this text, whose reports name the lines of `path`; or None and why there is none."""
    atomic = atomic_functions(text)
    if atomic is None:
        return None, "static atomic function"
    program, table, binary = (os.path.join(folder, name) for name in ["native" + os.path.splitext(path)[1], "table.c", "native"])
    with open(program, "w") as out:
        out.write(f'# 1 "{os.path.basename(path)}"\n' + native_source(text))
    with open(table, "w") as out:
        out.write("".join(f"extern char {name}[];\n" for name in atomic) + "void *const raddle_atomic_functions[] = {" + "".join(f"{name}, " for name in atomic) + "0};\n")
    flags = ["-g", "-w", "-fgnu89-inline", "-pthread", *flags]
    done = asking.run(["gcc", *flags, "-finstrument-functions", "-I", os.path.dirname(path), "-c", program, "-o", program + ".o"], 60)
    if done.returncode == 0:
        done = asking.run(["gcc", *flags, *(f"-Wl,--wrap={name}" for name in WRAPPED), program + ".o", table, compiled_environment, "-lm", "-o", binary], 60)
    if done.returncode != 0:
        error = [line for line in done.stderr.splitlines() if "error" in line or "undefined" in line]
        return None, "not built: " + (error or [done.stderr[:200]])[0].replace(folder, "")[:160]
    return binary, ""


OPTIONS = {"TSAN_OPTIONS": "exitcode=66:report_thread_leaks=0:report_signal_unsafe=0", "ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=1:exitcode=99", "UBSAN_OPTIONS": "exitcode=99",
           "PATH": os.environ.get("PATH", "")}


def run(binary, seed, seconds):
    # Some kernels place the program where ThreadSanitizer wants its shadow memory.
    return asking.run(["setarch", "-R", binary], seconds, env={**OPTIONS, "RADDLE_SEED": str(seed)})


def hangs(binary, seed, seconds):
    """Does a run come to a state in which all threads sleep? Delays are short: all threads sleep, without a context switch, for half a second only where all are blocked."""
    process = subprocess.Popen([binary], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**OPTIONS, "RADDLE_SEED": str(seed)})
    before, end = None, time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            try:
                process.wait(0.05 if before is None else 0.5)
                return False
            except subprocess.TimeoutExpired:
                now = threads_of(process.pid)
                if now == before and all("State:\tS" in thread for thread in now):
                    return True
                before = now
        return False
    finally:
        process.kill()
        process.wait()


def threads_of(process):
    """State and number of context switches of each thread."""
    found = []
    for thread in sorted(os.listdir(f"/proc/{process}/task")):
        try:
            with open(f"/proc/{process}/task/{thread}/status") as status:
                found.append("".join(line for line in status if line.startswith(("State:", "voluntary", "nonvoluntary"))))
        except OSError:
            found.append("gone")
    return found


SANITIZERS = {"no-data-race": (["-fsanitize=thread", "-O1"], None),
              "valid-memsafety": (["-fsanitize=address"], r"ERROR: (?:Address|Leak)Sanitizer: (.*?)(?: on | 0x|$)"),
              "no-overflow": (["-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all", "-std=gnu11"], r"runtime error: ((?:signed integer overflow|negation|left shift|division of).*)"),
              "no-deadlock": ([], None)}


def violation(text, path, prop, folder, compiled_environment, runs, seed):
    """The violation that one of the runs shows, as an answer; `unknown(not seen)` if none does."""
    flags, pattern = SANITIZERS[prop]
    binary, why = build(text, path, folder, compiled_environment, flags)
    if not binary:
        return asking.Answer("failed", None, why)
    apart = None
    for number in range(runs):
        if prop == "no-deadlock":
            if hangs(binary, seed + number, 5):
                return asking.Answer("false(no-deadlock)", None, "all threads sleep")
            continue
        words = run(binary, seed + number, 5).stderr
        if prop == "no-data-race":
            races = thread_reports.races(words)
            apart = apart or next((thread_reports.difference(race, text) for race in races if thread_reports.difference(race, text)), None)
            race = next((race for race in races if not thread_reports.difference(race, text)), None)
            if race:
                return asking.Answer(f"false({race.first}, {race.second})", None, "")
            continue
        seen = re.search(pattern, words, flags=re.M)
        if seen:
            return asking.Answer(f"false({seen.group(1)[:60]})", None, "")
    return asking.Answer(f"unknown(only in {apart})" if apart else "unknown(not seen)", None, "")
