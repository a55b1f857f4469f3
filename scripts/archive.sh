#!/bin/sh
# Packs Raddle for a machine that has a C preprocessor and the C++ runtime library (libstdc++): one folder with the binary, BenchExec's tool-info module, README, man pages,
# completions, and the licences of Raddle and of all that is linked into it. RADDLE names the binary. Usage: scripts/archive.sh FILE.zip
# Exit status 77: zip, python3 or cargo is missing.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
raddle=${RADDLE:-$root/target/release/raddle}
archive=${1:?the name of the archive is missing}
case $archive in /*) ;; *) archive=$PWD/$archive ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ ! -x "$raddle" ]; then
    echo "$raddle does not exist: build it, or name it with RADDLE" >&2
    exit 3
fi
for tool in zip python3 cargo; do
    command -v $tool > "$scratch/which" || { echo "skipped: $tool is missing" >&2; exit 77; }
done

folder=$scratch/raddle
mkdir -p "$folder/completions" "$folder/licenses" "$folder/docs"
cp "$raddle" "$folder/raddle"
# Symbols are for those who build it.
strip "$folder/raddle" 2> "$scratch/strip" || true
cp "$root/README.md" "$root/LICENSE-APACHE" "$root/LICENSE-MIT" "$folder"
cp "$root"/docs/*.md "$folder/docs"
cp "$root/contrib/benchexec/raddle.py" "$folder/raddle.py"
"$raddle" man "$folder/man/man1"
for shell in bash fish zsh; do
    "$raddle" completions $shell > "$folder/completions/raddle.$shell"
done

# The packages that the binary is linked from, with the licences that they bring.
cd "$root"
cargo metadata --format-version 1 --locked --filter-platform "$(rustc -vV | sed -n "s/^host: //p")" > "$scratch/metadata"
python3 - "$scratch/metadata" "$folder/licenses" << 'END'
import json, pathlib, shutil, sys

metadata, folder = json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2])
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
packages = {package["id"]: package for package in metadata["packages"]}
linked, ahead = set(), [id for id in packages if packages[id]["name"] == "raddle"]
while ahead:
    id = ahead.pop()
    if id not in linked:
        linked.add(id)
        ahead += [d["pkg"] for d in nodes[id]["deps"] if any(kind["kind"] is None for kind in d["dep_kinds"])]
lines = []
for package in sorted((packages[id] for id in linked), key=lambda package: package["name"]):
    if package["source"] is None:
        continue
    name = f"{package['name']}-{package['version']}"
    lines.append(f"{name}: {package['license'] or 'see its files'}\n")
    home = pathlib.Path(package["manifest_path"]).parent
    for file in home.rglob("*"):
        if file.is_file() and file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE")):
            copy = folder / name / file.relative_to(home)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
(folder / "PACKAGES").write_text("".join(lines))
END

rm -f "$archive"
cd "$scratch"
zip -qr "$archive" raddle
