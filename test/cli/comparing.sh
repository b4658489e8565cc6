# throng compare: means and intervals over seeds, what is marked, the page, and what is refused.
. "$SOURCE/test/cli/prelude.sh"
door "$people, \"model\": \"orca\", \"measure\": {\"lines\": {\"door\": [[10.2, 3.8], [10.2, 2.2]]}}" >door.json

"$THRONG" compare door.json --models orca,none --seeds 3 --json a.json --csv a.csv -o page.html >table
sed -E 's/  +/  /g; s/-?[0-9]+(\.[0-9]+)?/N/g' table
# The same as by hand: mean, standard deviation and interval (t = 4.302653 with 2 degrees of freedom) of the sweep's rows.
"$THRONG" sweep door.json --models orca,none --seeds 3 -q --csv - | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $2 == "orca" { n++; x = $at["speed_mean"]; sum += x; squares += x * x }
    END { mean = sum / n; sd = sqrt((squares - n * mean * mean) / (n - 1)); half = 4.302653 * sd / sqrt(n)
        printf "%.6f %.6f %.6f %.6f\n", mean, sd, mean - half, mean + half }' >by_hand
awk -F, '$1 == "speed_mean" && $3 == "orca" { printf "%.6f %.6f %.6f %.6f\n", $5, $6, $7, $8 }' a.csv | cmp - by_hand && echo "as by hand"
awk -F, '$1 == "overlap_part" || $1 == "people" { print $1, $3, $11 }' a.csv
grep -oE '"(seeds|variants)":\[[^]]*\]' a.json | head -2
"$THRONG" compare door.json --models orca,none --seeds 3 -q -j 1 --csv b.csv
for file in a b; do grep -vE "^(ms_per_step|wall_s)" $file.csv | cut -d, -f1-9 >$file; done
cmp a b && echo "the same for any number of jobs"

# The page asks no server for anything, and has a picture for each moment and model.
grep -c -E "https?:|<script" page.html
grep -o "<img" page.html | wc -l
grep -oE "<figcaption>[^<]*" page.html

# Runs that fail are told and left out.
try compare door.json --set 'agents[0].count=10,99999' --seeds 2 --csv c.csv -q
grep -E "^(people|left)," c.csv
try compare door.json --set duration=1 --set dt=0.1,0.05 --seeds 2 --csv - | head -3

refused "one model" "nothing to compare" compare door.json --models orca
refused "nothing" "nothing to compare" compare door.json
refused "an unknown model" "did you mean 'orca'" compare door.json --models orca,orka
refused "an unknown key" "did you mean 'count'" compare door.json --set 'agents[0].cuont=1,2'
refused "nowhere" "cannot write" compare door.json --models orca,none -o none/page.html
refused "over the scenario" "is the scenario" compare door.json --models orca,none --json door.json
refused "no scenario" "no file" compare nothing.json --models orca,none
