# Quantities by name: recorded, coloured by, listed; a made-up one of a file, too.
. "$SOURCE/test/cli/prelude.sh"

door "$people, \"model\": \"cpd\"" >door.json
try run door.json --quiet --duration 3 --record density,wish --record speed -o a.throng -o a.txt
head -9 a.txt | tail -5
for name in density wish speed; do try render a.throng --colour $name -o $name.svg --time 2; done
try render door.json --colour area -o area.svg --time 2 --quiet
try render a.throng --colour zest -o no.svg
try run door.json --quiet --duration 1 --record zest -o no.sqlite
try run door.json --quiet --duration 1 --record force -o no.xml
try run door.json --quiet --duration 1 --record forces --record space -o b.sqlite
try models cpd | grep -A5 quantities
"$THRONG" run door.json --quiet --duration 2 --record density -o c.csv --stats - | grep -o '"quantities":{"density":{"unit":"1/m^2","min":[^}]*}}' | numbers

# What no file of the program names goes from a recording to the legend of a picture.
cat >made_up.txt <<'TXT'
# framerate: 10 fps
# quantity: zest [zest/m] How much zest somebody has.
# id frame x/m y/m z/m zest
1	0	1	1	0	3.5
2	0	2	1	0	nan
3	0	3	1	0	7
TXT
try render made_up.txt --colour zest -o zest.svg --size 600x400
try convert made_up.txt made_up.sqlite --quiet
try render made_up.sqlite --colour zest -o again.svg --size 600x400 --title made_up.txt --quiet
cmp zest.svg again.svg && echo "the same picture"
# The one in the middle, at 3.5 of 7, has another colour than the one at 7, and the unknown one is grey.
grep -c 'rgb(12.941176%,56.862745%,54.901961%)' zest.svg
grep -o 'fill:rgb(99.215686%,90.588235%,14.509804%)' zest.svg | sort | uniq -c | sed 's/^ *//'
