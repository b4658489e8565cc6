# A run that is killed at any moment leaves recordings that can be read, in every format: every frame whole but the last one of
# a text, and no fewer than were safe half a second before.
. "$SOURCE/test/cli/prelude.sh"
door "$wanderers" >long.json
failed=
for ending in sqlite txt h5 throng ndjson xml csv; do
    for delay in 0.6 0.9; do
        "$THRONG" run long.json -o killed.$ending --quiet --duration 1000000 &
        run=$!
        wait_for killed.$ending 20000
        sleep $delay
        kill -9 $run
        wait $run 2>/dev/null || true
        if ! "$THRONG" convert killed.$ending read.txt --quiet $([ $ending != csv ] || echo --fps 10) 2>said; then
            echo "$ending: cannot be read after $delay s"
            cat said
            failed=yes
        fi
        # All but the last frame have fifty people.
        awk -v ending=$ending '!/^#/ { count[$2]++; if ($2 > last) last = $2 }
            END { for (f = 0; f < last; f++) if (count[f] != 50) bad++
                  if (last + 0 < 5 || bad) { print ending ": frames " last + 0 ", not whole " bad + 0; exit 1 } }' read.txt || failed=yes
        rm -f killed.$ending* read.txt
    done
done
[ -z "$failed" ]
