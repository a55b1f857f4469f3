#!/usr/bin/env python3
"""Puts the properties beyond assertions to the test: against sanitizers, and engine against engine.

  scripts/properties.py sanitizers  --raddle BIN [--count 300] [--seed 1]                    random sequential programs against UBSan and AddressSanitizer
  scripts/properties.py races-tsan  --raddle BIN --tasks ../shared/tasks/index.tsv [--count 200]   tasks with threads against ThreadSanitizer
  scripts/properties.py agree       --raddle BIN --property no-data-race [--count 2000]      random threaded programs, all engines
  scripts/properties.py two-engines --raddle BIN --tasks ../shared/tasks/index.tsv [--cpu 5]  tasks with threads, all engines

Needs gcc with its sanitizers. The same --seed gives the same programs. Programs that show something are left in --keep. Exit status 1 where an answer is contradicted.
"""
import argparse, os, sys
from measures import engines, races_tsan, sanitizers, threaded


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = ap.add_subparsers(dest="command", required=True)

    def command(name, measure, count=None, seconds=10, tasks=False):
        sub = commands.add_parser(name, description=measure.__doc__)
        sub.set_defaults(measure=measure)
        sub.add_argument("--raddle", default="target/release/raddle")
        sub.add_argument("--cpu", "--seconds", dest="seconds", type=float, default=seconds, help="CPU time for each answer")
        sub.add_argument("--count", type=int, default=count)
        sub.add_argument("--seed", type=int, default=1)
        sub.add_argument("--jobs", type=int, default=2)
        sub.add_argument("--keep", help="leave programs that show something in this folder")
        sub.add_argument("--verbose", action="store_true", help="a line for each program")
        if tasks:
            sub.add_argument("--tasks", required=True, help="an index of tasks (index.tsv)")
            sub.add_argument("--filter", default="", help="only tasks whose path has this regular expression")
        return sub

    sub = command("sanitizers", sanitizers.measure, count=300)
    sub.add_argument("--property", action="append", choices=["no-overflow", "valid-memsafety"], help="only programs of this property")
    sub.add_argument("--engine", default="auto")
    sub.add_argument("--runs", type=int, default=300, help="random runs of a program that was proved")

    sub = command("races-tsan", races_tsan.measure, count=200, tasks=True)
    sub.add_argument("--runs", type=int, default=6, help="native runs of a program")

    sub = command("agree", engines.agree, count=2000, seconds=3)
    sub.add_argument("--property", action="append", choices=sorted(threaded.FEATURES), help="(may be repeated; default: all)")
    sub.add_argument("--engines", type=lambda text: text.split(","), default=engines.ENGINES)

    sub.add_argument("--runs", type=int, default=8, help="native runs of each program with a sanitizer")

    sub = command("two-engines", engines.two_engines, seconds=5, tasks=True)
    sub.add_argument("--property", default="no-data-race")
    sub.add_argument("--engines", type=lambda text: text.split(","), default=["explore", "oc", "cegar"])

    args = ap.parse_args()
    args.raddle = os.path.abspath(args.raddle)
    sys.exit(0 if args.measure(args) else 1)


if __name__ == "__main__":
    main()
