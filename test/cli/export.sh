# One file that plays a run: the page, and in it frames that come to what the run was.
. "$SOURCE/test/cli/prelude.sh"
door >door.json
cat >look.py <<'PY'
import base64, json, re, struct, sys, zlib
page = open(sys.argv[1], encoding="utf-8").read()
run = re.search(r'<script type="application/octet-stream" id="run">([^<]*)</script>', page).group(1)
assert page.index('id="run"') < page.rindex("<script>") and "<!--RUN-->" not in page
plain, at, told, people, frames = zlib.decompress(base64.b64decode(run, validate=True)), 0, {}, {}, []
def pad(size): return (size + 3) & ~3
while at < len(plain):
    size = struct.unpack_from("<I", plain, at)[0]
    piece, at = plain[at + 4:at + 4 + size], at + 4 + size
    if piece[:1] == b"{":
        told.update(json.loads(piece))
        continue
    magic, flags, n, time = piece[:4], piece[4], *struct.unpack_from("<Id", piece, 12)
    assert magic == b"TFR1"
    where = 48
    ids = sorted(people)
    if flags & 1:
        ids = list(struct.unpack_from(f"<{n}I", piece, where)); where += 4 * n
    kind, width = ("h", 2) if flags & 4 else ("i", 4)
    x = struct.unpack_from(f"<{n}{kind}", piece, where); where += pad(width * n)
    y = struct.unpack_from(f"<{n}{kind}", piece, where); where += pad(width * n)
    now = {}
    for i, who in enumerate(ids):
        if not flags & 4: now[who] = (x[i], y[i])
        elif who in people: now[who] = (people[who][0] + x[i], people[who][1] + y[i])
        else: now[who] = struct.unpack_from("<2i", piece, where); where += 8
    people = now
    frames.append((round(time, 2), dict(now)))
assert frames[0][0] == 0 and all(b[0] > a[0] for a, b in zip(frames, frames[1:]))
print(told["scene"]["name"], len(frames), "frames, until", frames[-1][0], "s;", len(frames[0][1]), "people, then", len(frames[-1][1]), ";", len(told["models"]), "models")
with open(sys.argv[2], "w") as out:
    for time, frame in frames:
        for who in sorted(frame): print(time, who, *frame[who], file=out)
PY
try export door.json -o a.html | numbers
/usr/bin/env python3 look.py a.html a.txt

# The positions are those of the recording, to half a millimetre and the last digit of that.
"$THRONG" run door.json -o door.csv --every 1 --quiet
cat >compare.py <<'PY'
import csv
ours = {(float(t), int(i)): (int(x), int(y)) for t, i, x, y in (line.split() for line in open("a.txt"))}
found = worst = 0
for row in csv.DictReader(line for line in open("door.csv") if not line.startswith("#")):
    key = (round(int(row["frame"]) / 10, 2), int(row["id"]))
    if key not in ours: continue
    found += 1
    worst = max(worst, abs(float(row["pos_x"]) * 1000 - ours[key][0]), abs(float(row["pos_y"]) * 1000 - ours[key][1]))
print("compared" if found > 1000 else f"only {found} compared", "equal" if worst < 0.51 else f"{worst} mm apart")
PY
/usr/bin/env python3 compare.py

# A recording comes to the same.
"$THRONG" run door.json -o door.sqlite --quiet
try export door.sqlite -o d.html --quiet
/usr/bin/env python3 look.py d.html d.txt
cmp a.txt d.txt

# People who come and go, a door that closes, things.
cat >moving.json <<'TXT'
{"throng": 1, "name": "moving", "duration": 12, "dt": 0.1, "walkable_area": [[0, 0], [12, 0], [12, 5], [0, 5]],
 "goals": {"a": {"polygon": [[11, 0], [12, 0], [12, 2], [11, 2]], "exit": true}, "b": {"polygon": [[11, 3], [12, 3], [12, 5], [11, 5]], "exit": true}},
 "sources": [{"in": [[0, 0], [2, 0], [2, 5], [0, 5]], "rate": 2, "goal": {"any": ["a", "b"]}}],
 "events": [{"time": 4, "close": "a"}], "model": "orca"}
TXT
try export moving.json -o b.html --rate 5 --quiet
/usr/bin/env python3 look.py b.html b.txt
try export door.json -o c.html --set agents[0].count=3 --duration 2 --quiet
/usr/bin/env python3 look.py c.html c.txt

refused "nowhere to" "-o FILE.html" export door.json
refused "another ending" "-o FILE.html" export door.json -o run.mp4
refused "no such scenario" "nowhere.json" export nowhere.json -o a.html
refused "no such folder" "nowhere" export door.json -o nowhere/a.html
refused "a wrong rate" "--rate" export door.json -o a.html --rate 0

# A page that simulates by itself takes the module of `make web`, and has no things.
refused "things in a live page" "has things" export --live forces/wall-breaking -o a.html
refused "a recording as a live page" "is a recording" export --live door.sqlite -o a.html
cp "$THRONG" alone && THRONG=./alone
refused "no module" "run \`make web\`" export --live door.json -o a.html
