#!/usr/bin/env python3
"""Figures 3.6 and 4.3 for Raddle: how long the program family of Figure 3.2 takes with each reduction, as a table in markdown and as a plot.

  family_plot.py --raddle PATH [--cpu 10] [--last 256] [--svg docs/cegar-family.svg]

Domain pred-cart, all conditions tracked from the beginning. A curve ends at the first N that is not proved in time.
"""
import argparse, json, math, os, subprocess, sys, tempfile

CURVES = {
    "none": ["--por", "none", "--coi", "none"],
    "spor": ["--por", "spor", "--coi", "none"],
    "aaspor": ["--por", "aaspor", "--coi", "none"],
    "none + dcoi": ["--por", "none", "--coi", "dynamic"],
    "spor + dcoi": ["--por", "spor", "--coi", "dynamic"],
    "aaspor + dcoi": ["--por", "aaspor", "--coi", "dynamic"],
}
COLOURS = ["#333333", "#d62728", "#1f77b4", "#9467bd", "#ff7f0e", "#2ca02c"]

def seconds(raddle, program, options, cpu):
    """CPU seconds of a proof; None: no proof in time."""
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.json")
        command = [raddle, "--engine", "cegar", "--domain", "pred-cart", "--init-prec", "allassumes", *options, "--quiet",
                   "--timeout", f"{cpu}s", "--stats", stats, program]
        try:
            out = subprocess.run(command, capture_output=True, text=True, timeout=cpu * 10 + 30).stdout
        except subprocess.TimeoutExpired:
            return None
        if "VERDICT: false" in out:
            sys.exit(f"WRONG {' '.join(options)} {program}: said false")
        if "VERDICT: true" not in out:
            return None
        with open(stats) as file:
            return json.load(file)["cpu_seconds"]

def measure(args):
    generator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "family.py")
    sizes = [2 ** i for i in range(int(math.log2(args.last)) + 1)]
    points = {name: {} for name in CURVES}
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            program = os.path.join(folder, f"family{n}.c")
            with open(program, "w") as file:
                subprocess.run([sys.executable, generator, str(n)], stdout=file, check=True)
            for name, options in CURVES.items():
                if all(points[name].get(m) for m in sizes if m < n):
                    points[name][n] = seconds(args.raddle, program, options, args.cpu)
    return sizes, points

def table(sizes, points, cpu):
    print("| N | " + " | ".join(points) + " |")
    print("|---:|" + "---:|" * len(points))
    for n in sizes:
        cells = []
        for curve in points.values():
            cells.append("" if n not in curve else f"> {cpu}" if curve[n] is None else f"{curve[n]:.2f}")
        print(f"| {n} | " + " | ".join(cells) + " |")

def svg(sizes, points, cpu):
    left, top, width, height = 60, 20, 480, 320
    low, high = 0.01, 10 ** math.ceil(math.log10(cpu))
    x = lambda n: left + width * math.log(n) / math.log(max(sizes[-1], 2))
    y = lambda s: top + height * (1 - math.log(max(s, low) / low) / math.log(high / low))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 130} {top + height + 50}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>']
    line = lambda x1, y1, x2, y2, rest: out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {rest}/>')
    text = lambda tx, ty, what, rest="": out.append(f'<text x="{tx:.1f}" y="{ty:.1f}" {rest}>{what}</text>')
    for n in sizes:
        line(x(n), top, x(n), top + height, 'stroke="#e5e5e5"')
        text(x(n), top + height + 16, n, 'text-anchor="middle"')
    decade = low
    while decade <= high * 1.001:
        line(left, y(decade), left + width, y(decade), 'stroke="#e5e5e5"')
        text(left - 6, y(decade) + 4, f"{decade:g} s", 'text-anchor="end"')
        decade *= 10
    line(left, y(cpu), left + width, y(cpu), 'stroke="#999999" stroke-dasharray="4 3"')
    text(left + width / 2, top + height + 38, "N (2N threads)", 'text-anchor="middle"')
    for i, (name, curve) in enumerate(points.items()):
        colour = COLOURS[i % len(COLOURS)]
        # What was not proved in time is a cross on the limit.
        spots = [(x(n), y(cpu if s is None else s), s) for n, s in curve.items()]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py, _ in spots)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for px, py, s in spots:
            if s is None:
                line(px - 4, py - 4, px + 4, py + 4, f'stroke="{colour}" stroke-width="1.5"')
                line(px - 4, py + 4, px + 4, py - 4, f'stroke="{colour}" stroke-width="1.5"')
            else:
                out.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>')
        legend = top + 14 + 18 * i
        line(left + width + 12, legend - 4, left + width + 30, legend - 4, f'stroke="{colour}" stroke-width="2"')
        text(left + width + 36, legend, name)
    out.append("</svg>")
    return "\n".join(out) + "\n"

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--raddle", required=True)
    ap.add_argument("--cpu", type=int, default=10)
    ap.add_argument("--last", type=int, default=256)
    ap.add_argument("--svg", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "cegar-family.svg"))
    args = ap.parse_args()
    sizes, points = measure(args)
    table(sizes, points, args.cpu)
    with open(args.svg, "w") as file:
        file.write(svg(sizes, points, args.cpu))

if __name__ == "__main__":
    main()
