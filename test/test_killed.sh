# A run that is killed at any moment leaves recordings that can be read, in every format: every frame whole but the last one of
# a text, and no fewer than could be read while the run went on.
. "$SOURCE/test/cli/prelude.sh"
door "$wanderers" >long.json

# last_frame FILE: the number of the last frame that can be read; all before it must have fifty people.
last_frame() {
    rate=
    case $1 in *.csv) rate="--fps 10" ;; esac
    "$THRONG" convert "$1" read.txt --quiet $rate 2>said || return 1
    awk '!/^#/ { count[$2]++; if ($2 + 0 > last) last = $2 + 0 }
        END { for (f = 0; f < last; f++) if (count[f] != 50) exit 1; print last + 0 }' read.txt
}

failed=
for ending in sqlite txt h5 throng ndjson xml csv; do
    for delay in 0.05 0.3; do
        "$THRONG" run long.json -o killed.$ending --quiet --duration 1000000 &
        run=$!
        seen=0 tries=0
        while [ "$seen" -lt 5 ] && [ $tries -lt 300 ]; do
            sleep 0.1
            seen=$(last_frame killed.$ending) || seen=0
            tries=$((tries + 1))
        done
        sleep $delay
        kill -9 $run
        wait $run 2>/dev/null || true
        left=$(last_frame killed.$ending) || left=none
        if [ "$left" = none ] || [ "$left" -lt "$seen" ]; then
            echo "$ending: after the kill the last frame is $left, $seen before"
            cat said
            failed=yes
        fi
        rm -f killed.$ending* read.txt
    done
done
[ -z "$failed" ]
