"""Asks Raddle, runs other processes within limits, and keeps the programs that show something."""
import collections, concurrent.futures, json, os, shutil, subprocess, sys

Answer = collections.namedtuple("Answer", "verdict story words")
Answer.__doc__ = """A verdict without its details (`true`, `false(no-overflow)`, `unknown(timeout)`, `failed`), the story of a violation as in the JSON report, and what was printed on standard error."""


def run(command, seconds, **more):
    """A process, with at most so many seconds of wall-clock time; status -1 where they did not suffice."""
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds, **more)
    except subprocess.TimeoutExpired as late:
        words = late.stderr.decode(errors="replace") if late.stderr else ""
        return subprocess.CompletedProcess(command, -1, "", words)


def ask(raddle, file, prop, seconds, engine="auto", data_model="lp64", more=()):
    """Raddle's answer for one property, within so many seconds of CPU time."""
    command = [raddle, "verify", "--no-config", "--jobs", "1", "--memory", "3GB", "--timeout", f"{seconds}s", "--format", "json", "--engine", engine,
               "--data-model", data_model.lower(), "--property", prop, *more, file]
    done = run(command, 4 * seconds + 30)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["no output"])[0]
        return Answer("failed", None, f"status {done.returncode}: {last}")
    first = report["properties"][0] if report.get("properties") else {}
    return Answer(report["verdict"], first.get("story"), done.stderr)


def kind(verdict):
    """`true`, `false`, `unknown` or `failed`."""
    return verdict.split("(")[0]


class Keep:
    """The folder for programs that show something; without a folder nothing is kept."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder) if folder else None
        if folder:
            os.makedirs(folder, exist_ok=True)

    def text(self, name, text):
        """Where the program is to be found later, for the reader of the output."""
        if not self.folder:
            return f"{name} (not kept: see --keep)"
        path = os.path.join(self.folder, name)
        with open(path, "w") as out:
            out.write(text)
        return path

    def copy(self, path):
        if not self.folder:
            return path
        return shutil.copy(path, self.folder)


def in_parallel(jobs, function, items):
    """The results in the order of the items, as soon as they are there; a line on a terminal tells how far it is."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, result in enumerate(pool.map(function, items), 1):
            yield result
            if sys.stderr.isatty():
                print(f"\r{number} of {len(items)}", end="\r", file=sys.stderr, flush=True)


def table(rows):
    """Rows of texts and numbers, in columns."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))).rstrip())
