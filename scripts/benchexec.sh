#!/bin/sh
# Checks the tool-info module for BenchExec with BenchExec from PyPI, in a virtual environment. RADDLE names the binary.
# Exit status 77: BenchExec cannot be installed here.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
raddle=${RADDLE:-$root/target/release/raddle}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ ! -x "$raddle" ]; then
    echo "$raddle does not exist: build it, or name it with RADDLE" >&2
    exit 3
fi
if ! { python3 -m venv "$scratch/venv" && "$scratch/venv/bin/pip" install -q benchexec pyyaml; } > "$scratch/pip" 2>&1; then
    echo "skipped: BenchExec cannot be installed ($(tail -n 1 "$scratch/pip"))" >&2
    exit 77
fi
mkdir "$scratch/bin"
ln -s "$raddle" "$scratch/bin/raddle"
export PYTHONPATH="$root" PYTHONDONTWRITEBYTECODE=1
cd "$scratch"

# BenchExec's own check of tool-info modules, on the outputs that there can be.
check() {
    printf '%b' "$1" > output
    "$scratch/venv/bin/python" -m benchexec.test_tool_info contrib.benchexec.raddle --no-container --tool-directory bin \
        --tool-output output > log 2>&1 || { cat log >&2; exit 1; }
    sed 's/\x1b\[[0-9;]*m//g' log > plain
    if grep -q WARNING plain || ! grep -qF "$2" plain; then
        cat plain >&2
        echo "expected without warnings: $2" >&2
        exit 1
    fi
}
check 'note\nVERDICT: true\n' '“true”'
check 'VERDICT: false(unreach-call)\n' '“false(unreach-call)”'
check 'VERDICT: unknown(timeout)\n' '“TIMEOUT”'
check 'VERDICT: unknown(bound-reached)\n' '“unknown”'
check 'nothing\n' '“ERROR'

# A whole run, where the system lets BenchExec measure.
cat > a.c << 'END'
extern void reach_error(void);
int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }
END
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' > unreach-call.prp
cat > a.yml << 'END'
format_version: '2.0'
input_files: a.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
options:
  language: C
  data_model: LP64
END
bin/raddle suite run a.yml --timeout 20s --memory 1GB --benchexec experiment 2> log || { cat log >&2; exit 1; }
if "$scratch/venv/bin/benchexec" --no-container --no-compress-results --tool-directory "$scratch/bin" experiment/raddle.xml \
    --memorylimit -1 --limitCores -1 -o out/ > log 2>&1 && ! grep -q 'Cgroup.*not available\|ERROR' log; then
    grep -q 'a.yml.* true ' log || { cat log >&2; exit 1; }
    echo "BenchExec ran Raddle and understood it"
else
    echo "BenchExec understands Raddle; a whole run is not possible here: $(grep -m 1 -i -E 'error|cannot' log || tail -n 1 log)"
fi
