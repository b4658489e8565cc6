# throng verify: a case that holds, one whose bound is changed so that it fails, the same bytes for any number of threads,
# pages and files, and what is refused.
. "$SOURCE/test/cli/prelude.sh"

try verify --case juelich/06-waypoints --model orca --model pbd
try verify --case juelich/06-waypoints --model orca --bound "juelich/06-waypoints:time=26..28" --strict
try verify --case juelich/06-waypoints --model orca --strict --quiet
try verify --case rimea/02-stairs-up --model orca --csv -
"$THRONG" verify --suite nist --case rimea/05-premovement --list

echo "the same bytes for any number of threads:"
for threads in 1 2; do
    "$THRONG" verify --case rimea/06-corner --case vadere/chicken-trap --model orca --model powerlaw --threads $threads --seeds 2 \
        --quiet --csv out.csv --json out.json --report out.html
    cat out.csv out.json out.html | cksum
done >sums
sort -u sums | wc -l

# The page shows what fails, with its figure and its picture, and asks no server for anything.
"$THRONG" verify --case juelich/04-pass-standing --model orca --bound "juelich/04-pass-standing:no_overlap>0.5" --quiet --report page.html
grep -o "<li>[^<]*" page.html
grep -c "<svg class=run" page.html
grep -c -E "https?:|src=|<script" page.html
grep -o '"verdict":"[a-z]*"' out.json | sort | uniq -c | sed 's/^ *//'

refused "a suite that is none" "did you mean 'rimea'" verify --suite rimae
refused "another one" "expected one of rimea, iso, imo, nist, juelich, vadere" verify --suite everything
refused "a case that is none" "did you mean 'rimea/06-corner'" verify --case rimea/06-croner
refused "a case of another suite" "no case of the suite 'iso'" verify --suite iso --case juelich/06-waypoints
refused "a model that is none" "did you mean 'orca'" verify --model ocra
refused "a bound that is none" "expected CASE:CRITERION=BOUND" verify --case juelich/06-waypoints --bound "juelich/06-waypoints:time=soon"
refused "a bound of nothing" "nothing that is run is called" verify --case juelich/06-waypoints --bound "juelich/06-waypoints:tme<=3"
refused "no seeds" "--seeds" verify --seeds 0
refused "a page that cannot be written" "nowhere/page.html" verify --case juelich/06-waypoints --report nowhere/page.html
refused "a table that cannot be written" "nowhere/table.csv" verify --case juelich/06-waypoints --csv nowhere/table.csv

# Ctrl-C ends it, and nothing is written.
env --default-signal=INT "$THRONG" verify --case rimea/11-exit-choice --model implicit --csv late.csv 2>stderr &
pid=$!
sleep 1.5
kill -INT $pid
code=0
wait $pid || code=$?
echo "interrupted: [status $code]" $(cat stderr) $(ls late.csv 2>/dev/null)
