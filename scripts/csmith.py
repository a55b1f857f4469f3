#!/usr/bin/env python3
"""Compares `raddle simulate` with gcc on random Csmith programs: both must print the same checksum.

  scripts/csmith.py [--count 500] [--first 1] [--raddle target/release/raddle] [--seconds 60] [--jobs 2] [--keep DIR] [-- --float --packed-struct ...]

What stands after `--` goes to csmith.

Needs csmith and its headers (Debian: csmith, libcsmith-dev) and gcc. Programs that gcc's build does not finish in a few
seconds (Csmith makes some that never end) are passed over and do not count. Exit status 1 where any differed.
A program that differs is kept in --keep; shrink it with cvise and make it a regression test.
"""
import argparse, concurrent.futures, os, shutil, subprocess, sys, tempfile

def headers():
    for folder in ("/usr/include/csmith", "/usr/local/include/csmith", "/usr/include/csmith-2.3.0"):
        if os.path.exists(os.path.join(folder, "csmith.h")):
            return folder
    sys.exit("csmith.h was not found: install libcsmith-dev")

def one(seed, args, include):
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "test.c"), os.path.join(folder, "test")
        with open(source, "w") as out:
            # Csmith leaves a file behind where it runs.
            subprocess.run(["csmith", "--seed", str(seed), *args.csmith], stdout=out, check=True, cwd=folder)
        subprocess.run(["gcc", "-w", "-O0", "-I", include, source, "-o", binary], check=True)
        try:
            wanted = subprocess.run([binary], capture_output=True, text=True, timeout=2)
        except subprocess.TimeoutExpired:
            return seed, "endless", ""
        try:
            got = subprocess.run([args.raddle, "simulate", "--quiet", "--timeout", f"{args.seconds}s", "-I", include, source],
                                 capture_output=True, text=True, timeout=args.seconds * 3)
        except subprocess.TimeoutExpired:
            got = None
        if got is not None and got.stdout == wanted.stdout and got.returncode == wanted.returncode:
            return seed, "same", ""
        slow = got is None or "unknown(timeout)" in got.stdout
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
            shutil.copy(source, os.path.join(args.keep, f"seed{seed}.c"))
        said = "no answer" if got is None else (got.stdout.strip()[-200:] + " " + got.stderr.strip()[-300:])
        return seed, "slow" if slow else "DIFFERS", f"gcc: {wanted.stdout.strip()}; raddle: {said}"

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--count", type=int, default=500)
    ap.add_argument("--first", type=int, default=1)
    ap.add_argument("--raddle", default="target/release/raddle")
    ap.add_argument("--seconds", type=int, default=60)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--keep")
    ap.add_argument("csmith", nargs="*", help="options of csmith")
    args = ap.parse_args()
    include = headers()
    seen, counts, seed = 0, {}, args.first
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        while seen < args.count:
            batch = range(seed, seed + min(args.count - seen, 20 * args.jobs))
            seed = batch.stop
            for number, result, detail in pool.map(lambda s: one(s, args, include), batch):
                counts[result] = counts.get(result, 0) + 1
                seen += result != "endless"
                if detail:
                    print(f"{result} seed {number}: {detail}", flush=True)
    print(f"{counts.get('same', 0)} of {seen} the same; {counts.get('DIFFERS', 0)} differ, {counts.get('slow', 0)} too slow, "
          f"{counts.get('endless', 0)} passed over (endless)")
    sys.exit(0 if counts.get("same", 0) == seen else 1)

if __name__ == "__main__":
    main()
