# One crowd on several ranks: the digest, the recording and what comes after a restart are those of one process.

. "$SOURCE/test/ranks.sh"

# Without MPI it says so, and does not make the run twice.
if OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 "$THRONG" run orca/blocks --duration 1 2>told; then exit 1; fi
grep -q "THRONG_MPI=ON" told || [ "$THRONG" = "$RANKS" ]

[ -n "${RANKS-}" ] && command -v mpirun >/dev/null || { echo "skipped: no MPI here (tools/setup ranks)"; exit 0; }

# People come, cross borders and arrive; a rank may have nobody.
scene="people/plaza --model orca --threads 2 --quiet"
# shellcheck disable=SC2086  # a list of words
"$THRONG" run $scene --duration 14 --stats whole.json -o whole.txt
# shellcheck disable=SC2086
ranks 3 run $scene --duration 14 --stats three.json -o three.txt
same whole.json three.json "three ranks"
grep -v '^#' whole.txt >whole.rows
grep -v '^#' three.txt | cmp - whole.rows
for figure in initial spawned arrived pairs_max nearest_gap_m decisions; do
    [ "$(grep -o "\"$figure\":[^,}]*" whole.json)" = "$(grep -o "\"$figure\":[^,}]*" three.json)" ] || { echo "$figure differs"; exit 1; }
done

# Stopped on four ranks, it goes on with two, and alone.
# shellcheck disable=SC2086
ranks 4 run $scene --duration 8 --checkpoint half
ranks 2 run --resume half --duration 14 --quiet --stats two.json
"$THRONG" run --resume half --duration 14 --quiet --stats one.json
same whole.json two.json "resumed on two ranks"
same whole.json one.json "resumed alone"

# What cannot be divided is refused before the run.
if ranks 2 run demo/bottleneck --model uic -o not.sqlite 2>told; then exit 1; fi
grep -q "people of model 'uic' cannot be divided" told
[ ! -e not.sqlite ]
if ranks 2 run orca/blocks --set 'nonsense=1' 2>told; then exit 1; fi
[ "$(grep -c 'error: unknown key' told)" = 1 ]

# When one is killed, all end.
ranks 2 run orca/random-10k --duration 10000 --threads 1 --quiet -o killed.throng 2>told &
run=$!
while [ ! -s killed.throng ]; do sleep 0.1; done
victim=$(ps -eo pid,args | awk -v me="$RANKS run orca/random-10k" 'index($0, me) && !/mpirun/ { print $1 }' | tail -1)
kill -9 "$victim"
if wait $run; then exit 1; fi
grep -q "exited on signal 9" told
