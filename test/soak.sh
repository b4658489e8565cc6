#!/bin/sh
# make soak: long trials of what must survive anything. Two parts:
#
#   moments   each scene of test/soak is run whole, and again in two parts, ended at a random step and resumed; the
#             digest, counts and figures must be those of the whole run, whatever the number of threads
#   kills     a run that writes a checkpoint in every step, and all kinds of recordings, is killed (-9) at a random
#             moment, again and again, now from the start and now from the checkpoint left; the checkpoint must lead to
#             the digest of the whole run, and the recordings must hold the beginning of the whole one
#
#   SEED=N       of the random steps (default: the time of day; always printed, so that a failure can be repeated)
#   MOMENTS=50   of each scene
#   THREADS="1 2 3 8"
#   KILLS=100
#   SCENES       files (default: test/soak/*.json); the first one is for the kills
#   THRONG       the program (default: build/throng)
#
# Ends with status 1 when anything was wrong.
set -u
export LC_ALL=C
SEED=${SEED:-$(date +%s)}
MOMENTS=${MOMENTS:-50}
THREADS=${THREADS:-1 2 3 8}
KILLS=${KILLS:-100}
THRONG=${THRONG:-build/throng}
SCENES=${SCENES:-$(echo "$(dirname "$0")"/soak/*.json)}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
# A build that goes on meanwhile must not matter.
cp "$THRONG" "$work/throng" || exit 1
THRONG=$work/throng
checks=0 failures=0
begun=$(date +%s)

# draw N LIMIT: the N-th random number of this seed, 0 to LIMIT - 1.
draw() { awk -v s="$SEED" -v n="$1" -v m="$2" 'BEGIN { srand(s * 7919 + n); rand(); rand(); print int(rand() * m) }'; }
product() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.9g", a * b }'; }
wrong() {
    failures=$((failures + 1))
    echo "  WRONG: $*"
}
# figures ARGUMENTS...: all figures of a run, as JSON.
figures() { "$THRONG" run "$@" --quiet --stats - 2>>"$work/errors"; }
value() { sed -E "s/.*\"$1\":([0-9.]*).*/\1/"; }
# What a run has come to: people, overlap, the models' figures, the digest.
result() { sed -E 's/.*("agents":.*),"peak_rss_mb".*("digest".*)}/\1 \2/'; }

# whole SCENE: runs it once for comparison.
whole() {
    scene=$1
    stats=$(figures "$scene" --threads 1)
    dt=$(echo "$stats" | value dt) steps=$(echo "$stats" | value steps) duration=$(echo "$stats" | value simulated_s)
    expected=$(echo "$stats" | result)
    [ -n "$stats" ] && return
    wrong "$scene does not run"
    return 1
}

# ------------------------------------------------------------------ moments

# try_moment STEP FIRST: ends the scene after STEP steps with FIRST threads and resumes it with all numbers of threads.
try_moment() {
    figures "$scene" --duration "$(product "$1" "$dt")" --threads "$2" --checkpoint "$work/moment" >/dev/null
    for threads in $THREADS; do
        checks=$((checks + 1))
        found=$(figures --resume "$work/moment" --duration "$duration" --threads "$threads" | result)
        [ "$found" = "$expected" ] || wrong "$scene ended after $1 steps with $2 threads, resumed with $threads: '$found' $(tail -n 1 "$work/errors")"
    done
}

# moments SCENE NUMBER
moments() {
    whole "$1" || return
    echo "$1: $steps steps, ended and resumed at $MOMENTS moments with $THREADS threads"
    i=0
    while [ $i -lt "$MOMENTS" ]; do
        first=$(draw $((100000 * $2 + i)) "$(echo "$THREADS" | wc -w)")
        try_moment $((1 + $(draw $((100000 * $2 + 50000 + i)) "$steps"))) "$(echo "$THREADS" | cut -d' ' -f$((first + 1)))"
        i=$((i + 1))
        [ $((i % 10)) -ne 0 ] || echo "  $i moments, $failures wrong"
    done
}

# ------------------------------------------------------------------ kills

# The kinds of recordings this build knows.
known_formats() {
    for ending in sqlite txt throng h5; do
        "$THRONG" run "$scene" --duration "$dt" --quiet -o "$work/known.$ending" 2>/dev/null && echo $ending
        rm -f "$work"/known.*
    done
}

# rows FILE: the rows of a recording as text.
rows() {
    rm -f "$work/rows.txt"
    "$THRONG" convert "$1" "$work/rows.txt" --quiet 2>>"$work/errors" && grep -v '^#' "$work/rows.txt"
}

# check_recording FILE OF_WHOLE NAME: every whole frame of FILE is in the recording of the whole run. Who was killed while
# writing text may leave a row cut short, which no reader is to be blamed for.
check_recording() {
    checks=$((checks + 1))
    if ! rows "$1" >"$work/part"; then
        wrong "kill $3: $1 cannot be read: $(tail -n 1 "$work/errors")"
    else
        strange=$(sed '$d' "$work/part" | sort | comm -23 - "$2" | wc -l)
        [ "$strange" -eq 0 ] || wrong "kill $3: $strange rows of $1 are not those of the whole run"
    fi
}

# run_and_kill N ARGUMENTS...: kills it when it has begun to write and a random time has gone by.
run_and_kill() {
    n=$1
    shift
    rm -f "$work"/run.*
    outputs=
    for ending in $formats; do outputs="$outputs -o $work/run.$ending"; done
    # shellcheck disable=SC2086  # a list
    "$THRONG" run "$@" --quiet --checkpoint "$work/kept" --checkpoint-every "$dt" $outputs 2>>"$work/errors" &
    pid=$!
    while [ ! -s "$work/run.txt" ] && kill -0 $pid 2>/dev/null; do sleep 0.01; done
    sleep "$(product 0.001 "$(draw "$n" 900)")"
    kill -9 $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
}

# kill_once N: from the start, or from where the last one was killed.
kill_once() {
    if [ $((n_chain % 4)) -eq 0 ]; then
        rm -f "$work/kept"
        run_and_kill "$1" "$scene"
        for ending in $formats; do check_recording "$work/run.$ending" "$work/whole.$ending.rows" "$1"; done
    else
        run_and_kill "$1" --resume "$work/kept"
        for ending in $formats; do
            checks=$((checks + 1))
            [ ! -s "$work/run.$ending" ] || rows "$work/run.$ending" >/dev/null ||
                wrong "kill $1: $work/run.$ending of a resumed run cannot be read: $(tail -n 1 "$work/errors")"
        done
    fi
    n_chain=$((n_chain + 1))
    checks=$((checks + 1))
    found=$(figures --resume "$work/kept" | result)
    [ "$found" = "$expected" ] || wrong "kill $1: the checkpoint leads to '$found' $(tail -n 1 "$work/errors")"
}

kills() {
    whole "$1" || return
    formats=$(known_formats)
    echo "$1: killed $KILLS times while it writes a checkpoint and $(echo $formats)"
    for ending in $formats; do
        "$THRONG" run "$scene" --quiet -o "$work/whole.$ending" 2>>"$work/errors"
        rows "$work/whole.$ending" | sort >"$work/whole.$ending.rows"
    done
    i=0 n_chain=0 killed=0
    while [ $i -lt "$KILLS" ]; do
        kill_once $i
        i=$((i + 1))
        [ $((i % 10)) -ne 0 ] || echo "  $i kills ($killed before the run was over), $failures wrong"
    done
}

# ------------------------------------------------------------------ all of it

echo "Soak with SEED=$SEED"
number=0
for scene_file in $SCENES; do
    number=$((number + 1))
    [ "$MOMENTS" -eq 0 ] || moments "$scene_file" $number
done
# shellcheck disable=SC2086  # a list
set -- $SCENES
[ "$KILLS" -eq 0 ] || kills "$1"
echo "$checks checks in $(($(date +%s) - begun)) s, $failures wrong (SEED=$SEED)"
[ $failures -eq 0 ]
