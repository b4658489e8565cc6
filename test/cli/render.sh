# Pictures: of scenarios and recordings, as PNG and SVG, of the size asked for.
. "$SOURCE/test/cli/prelude.sh"
door >door.json
"$THRONG" run door.json -o door.sqlite -o door.txt --quiet

# size FILE: width and height of a PNG, from its header
size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 " x " $7 * 256 + $8 }'; }

for source in door.json door.sqlite door.txt; do try render $source -o a.png --time 5; size a.png; done
try render door.json -o b.png | numbers
try render door.sqlite -o b.png | numbers
try render door.sqlite -o c.png --frame 0 --width 1000
size c.png
try render door.sqlite -o d.png --size 800x600 --density --quiet
size d.png
try render door.sqlite -o g.png --size 640x480 --layer space --quiet
size g.png
try render door.json -o h.svg --layer density --time 4 --quiet
try render door.sqlite -o e.svg --colour speed --trails 3 --title "A <door>" --time 2
head -c 5 e.svg
tail -c 7 e.svg
try render demo/corner --time 2 --set agents[0].count=3 -o f.svg --trails 2 --density --quiet

# Names are written above people, in a halo: drawn after somebody and before the legend's somebody.
cat >named.json <<TXT
{"throng": 1, "name": "named", "walkable_area": [[0, 0], [4, 0], [4, 4], [0, 4]], "agents": [{"at": [[2, 2]], "radius": 0.5}],
 "measure": {"areas": {"here": [[1, 1], [3, 1], [3, 3], [1, 3]]}}}
TXT
try render named.json -o named.svg --quiet
grep -oE 'fill:rgb\(23\.137255%|stroke-opacity:0\.92' named.svg | sed 's/^fill.*/somebody/; s/^stroke.*/halo/'

refused "no output" "-o FILE" render door.json
refused "unknown ending" "x.jpg" render door.json -o x.jpg
refused "unwritable" "no/such/x.png" render door.json -o no/such/x.png
refused "size" "--size" render door.json -o x.png --size 800
refused "size" "--size" render door.json -o x.png --size 10x10
refused "size and width" "either" render door.json -o x.png --size 800x600 --width 800
refused "density and layer" "either" render door.json -o x.png --density --layer space
refused "layer" "none|space|density" render door.json -o x.png --layer speed
refused "time and frame" "either" render door.sqlite -o x.png --time 1 --frame 1
refused "time beyond" "ends with frame" render door.sqlite -o x.png --time 1000
refused "frame beyond" "ends with frame" render door.sqlite -o x.png --frame 100000
refused "negative time" "--time" render door.sqlite -o x.png --time -1
refused "colour" "expected one of group, speed" render door.sqlite -o x.png --colour red
refused "frame of a scenario" "--frame" render door.json -o x.png --frame 3
refused "model of a recording" "for scenarios" render door.sqlite -o x.png --model none
refused "missing recording" "none.sqlite" render none.sqlite -o x.png
refused "not a recording" "junk.sqlite" render junk.sqlite -o x.png
echo "this is not a database" >junk.sqlite
refused "junk" "junk.sqlite" render junk.sqlite -o x.png
cp junk.sqlite junk.txt
refused "junk text" "junk.txt" render junk.txt -o x.png
refused "bad scenario" "seed" render door.json --set seed=-1 -o x.png
for file in x.*; do if [ -e "$file" ]; then echo "LEFT BEHIND: $file"; fi; done
