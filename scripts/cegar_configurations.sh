#!/bin/sh
# Every seventh task about reachability in each configuration of the engine cegar, at 5 s of CPU each; fails if a verdict is wrong.
#
#   cegar_configurations.sh RADDLE TASKS DUEL OUT.tsv [JOBS]
#
# TASKS is a folder with index.tsv, DUEL the script that runs verifiers over an index, OUT.tsv what was answered.
set -eu
raddle=$1 tasks=$2 duel=$3 out=$4 jobs=${5:-2}

index=$(mktemp)
trap 'rm -f "$index"' EXIT
awk -F'\t' 'NR == 1 || ($2 == "unreach-call" && ++n % 7 == 0)' "$tasks/index.tsv" > "$index"

tool() {
    name=$1
    shift
    echo "$name=$raddle --engine cegar --timeout 5s --memory 6GB --property {prp} --data-model {data_model} $* {file}"
}
python3 "$duel" --tasks "$index" --root "$tasks" --cpu 5 --mem 7 --jobs "$jobs" -o "$out" \
    --tool "$(tool expl-unsat-core --domain expl --refinement unsat-core)" \
    --tool "$(tool expl-seq-itp --domain expl --refinement seq-itp)" \
    --tool "$(tool pred-cart --domain pred-cart --refinement nwt-it-wp)" \
    --tool "$(tool pred-bool --domain pred-bool)" \
    --tool "$(tool pred-split --domain pred-split)" \
    --tool "$(tool expl-pred)" \
    --tool "$(tool por-none --por none)" \
    --tool "$(tool por-spor --por spor)" \
    --tool "$(tool coi-none --coi none)" \
    --tool "$(tool coi-static --coi static)" \
    --tool "$(tool coi-both --coi both)" \
    --tool "$(tool lbe-none --lbe none)" \
    --tool "$(tool lbe-seq --lbe seq)" \
    --tool "$(tool lbe-local --lbe local)" \
    --tool "$(tool integer --arithmetic integer)"
