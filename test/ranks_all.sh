#!/bin/sh
# Every scene that can be divided, on 1, 2, 3, 4 and 7 ranks with 1 and 2 threads, and 20 seeds on 4: `make test-cluster`.
#   ranks_all.sh THRONG RANKS [WORDS_OF_SCENES...]
set -eu
THRONG=$1 RANKS=$2
shift 2
. "$(dirname "$0")/ranks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

figure() { grep -o "\"$1\":[0-9.e-]*" probe.json | head -1 | cut -d: -f2; }
# So long that it makes 500 steps, or 20 where there are many people.
duration_of() { echo "$(figure dt) $(figure initial)" | awk '{ print $1 * ($2 > 20000 ? 20 : '"${STEPS:-500}"') }'; }

compared=0
compare() { # scene model seed ranks threads duration
    ranks "$4" run "$1" --model "$2" --seed "$3" --threads "$5" --duration "$6" --quiet --stats many.json >/dev/null 2>told || {
        cat told; echo "$1 $2: failed on $4 ranks"; exit 1; }
    same one.json many.json "$1, $2, seed $3, $4 ranks, $5 threads"
    compared=$((compared + 1))
}

for scene in $("$THRONG" scenarios | awk '{ print $1 }'); do
    [ $# -eq 0 ] || printf '%s\n' "$@" | grep -qx "${scene%%/*}\|$scene" || continue
    for model in ${MODELS:-orca powerlaw}; do
        ranks 2 run "$scene" --model "$model" --duration 0.001 --quiet --stats probe.json 2>told || {
            echo "$scene, $model: $(sed -n 's/.*error: //p' told | head -1)"; continue; }
        duration=$(duration_of)
        for seed in ${SEEDS:-1}; do
            "$THRONG" run "$scene" --model "$model" --seed "$seed" --duration "$duration" --quiet --stats one.json
            for count in ${COUNTS:-1 2 3 4 7}; do
                for threads in ${THREADS:-1 2}; do compare "$scene" "$model" "$seed" "$count" "$threads" "$duration"; done
            done
        done
        echo "$scene, $model: the same, $duration s"
    done
done
echo "$compared runs on several ranks have the digest of one process"
