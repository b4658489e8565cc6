# throng bench: rows with figures, as a table, JSON and CSV, and what is refused. Times are not compared.
. "$SOURCE/test/cli/prelude.sh"
"$THRONG" bench --quick orca --threads 2 --json a.json --csv a.csv | sed -E 's/ +/ /g; s/[0-9]+\.[0-9]+/N/g'
cut -d, -f1-4,7 a.csv
awk -F, 'NR > 1 && !($5 > 0 && $6 > 0 && $8 > 0 && ($7 / $5 / $8 - 1) ^ 2 < 1e-3) { print "wrong:", $0 }' a.csv
grep -o '"theirs":[0-9.]*' a.json | tr '\n' ' '
refused "an unknown table" "did you mean 'orca'" bench orka
refused "no directory" "cannot write" bench orca --csv none/out.csv
