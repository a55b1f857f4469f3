#!/usr/bin/env bash
# Verifies the programs in examples/ and compares the verdicts with the ones stated here.
set -euo pipefail
raddle=${1:-target/release/raddle}
cd "$(dirname "$0")/.."
failed=0
check() {
  local file=$1 wanted=$2 property=${3:-unreach-call} got
  got=$("$raddle" --quiet --property "$property" "$file" | tail -n 1) || true
  if [ "$got" = "VERDICT: $wanted" ]; then
    echo "ok   $file: $wanted"
  else
    echo "FAIL $file: wanted $wanted, got '$got'"
    failed=1
  fi
}
check examples/counter.c 'false(unreach-call)'
check examples/counter_locked.c true
check examples/peterson.c true
check examples/queue.c true
check examples/queue.c true no-deadlock
check examples/race.c 'false(no-data-race)' no-data-race
check examples/race_fixed.c true no-data-race
check examples/deadlock.c 'false(no-deadlock)' no-deadlock
check examples/deadlock_fixed.c true no-deadlock
exit $failed
