# A run that is ended and resumed gives what the whole run gives: the digest, the figures, the recordings.
. "$SOURCE/test/cli/prelude.sh"
door >door.json

# result ARGUMENTS...: what a run says of its result, without times and threads.
result() {
    "$THRONG" run "$@" --quiet --stats - |
        sed -E 's/.*"steps":([0-9]*),"simulated_s":([0-9.]*).*("agents":.*),"peak_rss_mb".*("digest".*)}/\1 \2 \3 \4/'
}
same() { if [ "$1" = "$2" ]; then echo "same: $3"; else printf 'DIFFERENT: %s\n%s\n%s\n' "$3" "$1" "$2"; fi; }

whole=$(result door.json)
"$THRONG" run door.json --duration 6.3 --checkpoint door.ckpt -o first.txt 2>stderr
echo "[status $?]"
grep -E 'wrote' stderr | numbers
for threads in 1 2 3 8; do same "$whole" "$(result --resume door.ckpt --duration 20 --threads $threads)" "$threads threads"; done
same "$whole" "$(result --resume door.ckpt door.json --duration 20 --simd plain -o second.txt)" "with the scenario"
"$THRONG" run --resume door.ckpt --duration 7 --stats - 2>&1 | grep -oE '"resumed_s":[0-9.]*|resumed at .*'

# Both recordings together are that of the whole run, but for the frame they share.
"$THRONG" run door.json --quiet -o whole.txt
grep -v '^#' whole.txt | sort -n >all
last=$(grep -v '^#' first.txt | cut -f2 | sort -n | tail -n 1)
{ grep -v '^#' first.txt; grep -v '^#' second.txt | awk -v last="$last" 'BEGIN { OFS = "\t" } $2 > 0 { $2 += last; print }'; } |
    sort -n >parts
cmp all parts && echo "the parts make the whole"
head -n 2 second.txt | grep -o 'resumed at.*'
# A recording that is there already is kept.
"$THRONG" run --resume door.ckpt --duration 7 -o second.txt 2>&1 | grep 'already'

# Many checkpoints, resumed again and again.
"$THRONG" run door.json --duration 2 --checkpoint chain.ckpt --quiet
for end in 4 7 7 11 20; do
    chain=$(result --resume chain.ckpt --duration $end --checkpoint chain.ckpt --checkpoint-every 0.3)
done
same "$whole" "$chain" "six parts"
same "$whole" "$(result --resume chain.ckpt)" "nothing left to do"
"$THRONG" run door.json --duration 3 --checkpoint door.ckpt --checkpoint-every 1 --quiet --stats - |
    grep -o '"checkpoint":{"written":[0-9]*'

# Ctrl-C writes a last one.
door "$wanderers" >long.json
env --default-signal=INT "$THRONG" run long.json --duration 1000000 --every 10 -o long.txt --checkpoint long.ckpt 2>stderr &
pid=$!
wait_for long.txt 20000
kill -INT $pid
code=0
wait $pid || code=$?
echo "[status $code]"
grep -E 'interrupted|ckpt' stderr | numbers
time=$(sed -nE 's/.*interrupted after ([0-9.]*) s.*/\1/p' stderr)
end=$(awk "BEGIN { print $time + 5 }")
same "$(result long.json --duration "$end")" "$(result --resume long.ckpt --duration "$end")" "after Ctrl-C"

# When one cannot be written, the run goes on and says so; when the last one cannot, that is a failure.
rm long.txt
mkdir gone
env --default-signal=INT "$THRONG" run long.json --duration 1000000 --every 10 -o long.txt --checkpoint gone/x.ckpt \
    --checkpoint-every 1 2>stderr &
pid=$!
wait_for long.txt 20000
mv gone elsewhere # at once: what is removed file by file may be written to in between, and it would warn again
wait_for stderr 10
kill -INT $pid
code=0
wait $pid || code=$?
rm -r elsewhere
echo "[status $code]"
grep -E 'warning|error' stderr | numbers

# Refusals.
refused "nothing to run" "something is missing" run
refused "no such checkpoint" "No such file" run --resume none.ckpt
refused "no checkpoint" "not a checkpoint" run --resume door.json
head -c 300 door.ckpt >cut.ckpt
refused "cut short" "cut short" run --resume cut.ckpt
{ head -c 299 door.ckpt; printf '\377\377\377'; tail -c +303 door.ckpt; } >flipped.ckpt
refused "damaged" "damaged" run --resume flipped.ckpt
refused "another scenario" "is not the scenario of the checkpoint" run --resume door.ckpt demo/corner
sed 's/"seed": 7/"seed": 8/' door.json >other.json
refused "another text" "is not the scenario of the checkpoint" run --resume door.ckpt other.json
refused "no scenario" "no file and no built-in scenario" run --resume door.ckpt doro.json
for option in "--seed 3" "--dt 0.05" "--model none" "--set seed=3"; do
    refused "$option" "${option%% *}: a run that is resumed" run --resume door.ckpt $option
done
refused "--checkpoint-every alone" "--checkpoint FILE" run door.json --checkpoint-every 3
refused "--checkpoint-every 0" "above 0" run door.json --checkpoint x.ckpt --checkpoint-every 0
refused "no directory" "No such file" run door.json --checkpoint none/x.ckpt
refused "a directory" "directory" run door.json --checkpoint .
refused "over the scenario" "is the scenario" run door.json --checkpoint door.json
refused "over a recording" "twice" run door.json --checkpoint x.txt -o x.txt
refused "over the one resumed" "the checkpoint to go on from" run --resume door.ckpt -o door.ckpt
result --resume door.ckpt --duration 20 >/dev/null && echo "still good"
ls
