# Recordings in other formats: there and back, texts that need to be told, what is refused.
. "$SOURCE/test/cli/prelude.sh"
door >door.json
"$THRONG" run door.json -o door.sqlite -o door.txt --quiet --duration 5

try convert door.sqlite door.throng
try convert door.throng again.txt --quiet
# To the millimetre the same rows.
rows() { grep -v '^#' "$1" | awk '{ printf "%d %d %.3f %.3f\n", $1, $2, $3, $4 }'; }
rows door.txt >one && rows again.txt >two
awk 'NR == FNR { x[NR] = $3; y[NR] = $4; who[NR] = $1 " " $2; next }
     who[FNR] != $1 " " $2 || (x[FNR] - $3) ^ 2 > 1.1e-6 || (y[FNR] - $4) ^ 2 > 1.1e-6 { bad++ }
     END { print bad + 0, "rows differ" }' one two
try render door.throng -o door.png --time 2

# A file without a header, and ETH's.
printf '1 0 150 200 170\n1 1 151 200 170\n' >bare.txt
refused "no frame rate" "frame rate" convert bare.txt x.throng
refused "no unit" "unit" convert bare.txt x.throng --fps 16
try convert bare.txt bare.throng --fps 16 --unit cm
try convert bare.throng out.txt --quiet
tail -1 out.txt
printf '780 1 8.5 0 3.5 1 0 1\n786 1 9.5 0 3.5 1 0 1\n' >obsmat.txt
try convert obsmat.txt eth.txt
cp obsmat.txt people.txt
try convert people.txt eth.txt --format eth --quiet
tail -1 eth.txt
printf '# framerate: 2\n# x/m\n1 0 1 1\n1 0 2 2\n' >twice.txt
try convert twice.txt twice.throng

refused "one operand" "OUT" convert door.sqlite
refused "unit" "m, cm or mm" convert bare.txt x.throng --fps 16 --unit ft
refused "fps" "--fps" convert bare.txt x.throng --fps 0
refused "format" "sqlite, txt, h5, throng" convert bare.txt x.throng --format nonsense
refused "ending" "x.dat" convert door.sqlite x.dat
refused "itself" "to be converted" convert door.txt ./door.txt
refused "missing" "none.txt" convert none.txt x.throng
refused "nowhere" "no/such/x.txt" convert door.sqlite no/such/x.txt
# Files whose writer was stopped, and a row with a frame number far off.
head -c $(($(wc -c <door.throng) - 20)) door.throng >stopped.throng
try convert stopped.throng stopped.txt --quiet | numbers
printf '# framerate: 2\n# x/m\n1 0 1 1\n1 1 1 1\n1 2 1 1\n1 4099 1 1\n' >far.txt
try convert far.txt far.throng
head -c 40 door.throng >short.throng
refused "cut short" "damaged" convert short.throng x.txt
for file in x.* *part*; do if [ -e "$file" ]; then echo "LEFT BEHIND: $file"; fi; done
