# Ctrl-C ends the run after the step; the recordings can be read, the figures say so, the status is 1.
. "$SOURCE/test/cli/prelude.sh"
door "$wanderers" >long.json

for signal in INT TERM HUP; do
    # A script's background programs ignore SIGINT unless told otherwise.
    env --default-signal=INT "$THRONG" run long.json --duration 1000000 --every 10 -o long.sqlite -o long.txt \
        --stats stats.json 2>stderr &
    pid=$!
    wait_for long.txt 20000
    kill -$signal $pid
    code=0
    wait $pid || code=$?
    echo "$signal: [status $code]"
    grep -vE 'overlapped|into a wall' stderr | numbers
    grep -o '"end":"[a-z]*"' stats.json
    for file in long.sqlite long.txt; do "$THRONG" render $file -o long.png --time 1; done
    rm -f long.sqlite long.txt stats.json
done
ls

# While it is being prepared, here from a pipe that says nothing, it ends at once.
mkfifo pipe.json
env --default-signal=INT "$THRONG" run pipe.json -o early.txt 2>stderr &
pid=$!
sleep 0.3
kill -INT $pid
code=0
wait $pid || code=$?
echo "preparing: [status $code]" $(cat stderr) $(ls early.txt 2>/dev/null)
rm pipe.json

# Killed: what was flushed can be read.
"$THRONG" run long.json --duration 1000000 --every 10 -o killed.sqlite -o killed.txt 2>/dev/null &
pid=$!
wait_for killed.txt 20000
sleep 1
kill -KILL $pid
wait $pid 2>/dev/null
for file in killed.sqlite killed.txt; do "$THRONG" render $file -o killed.png --frame 1; done
