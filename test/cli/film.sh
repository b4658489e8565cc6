# Films. What is handed to ffmpeg is looked at by a program of that name, which counts frames and keeps their
# first colours; a real ffmpeg, where there is one, must take the same.
. "$SOURCE/test/cli/prelude.sh"
door >door.json
"$THRONG" run door.json -o door.sqlite --quiet

real=$(command -v ffmpeg || true)
mkdir bin empty
cat >bin/ffmpeg <<'TXT'
#!/bin/sh
if [ -e fail ]; then echo "no such codec" >&2; exit 1; fi
for last; do :; done
size= previous=
for word; do [ "$previous" = -video_size ] && size=$word; previous=$word; done
bytes=$(wc -c)
echo "$size: $((bytes / (4 * ${size%x*} * ${size#*x}))) frames and $((bytes % (4 * ${size%x*} * ${size#*x}))) bytes" >"$last"
TXT
chmod +x bin/ffmpeg
PATH=$PWD/bin:$PATH
export PATH

try render door.json -o a.mp4 --to 2 --size 400x300
cat a.mp4
try render door.sqlite -o b.webm --from 1 --to 3 --speed 4 --size 401x301 --colour speed --trails 1 --quiet
cat b.webm
try render door.sqlite -o c.gif --from 16.5 --density
cat c.gif
try render door.json -o d.mp4 --to 0.5 --width 640 --colour density --model cpd --quiet
cat d.mp4

refused "picture's moment" "--from" render door.sqlite -o x.mp4 --time 1
refused "film's beginning" "--time" render door.sqlite -o x.png --from 1
refused "nothing there" "ends at" render door.sqlite -o x.mp4 --from 100
refused "backwards" "nothing from" render door.sqlite -o x.mp4 --from 2 --to 1
refused "no such quantity" "courage" render door.sqlite -o x.mp4 --colour courage
refused "speed" "--speed" render door.sqlite -o x.mp4 --speed 0
refused "model of a recording" "for scenarios" render door.sqlite -o x.mp4 --model none
refused "unwritable" "no/such/x.mp4" render door.sqlite -o no/such/x.mp4

touch fail
try render door.sqlite -o x.mp4 --to 1 --quiet
rm fail
(
    PATH=$PWD/empty
    try render door.sqlite -o x.mp4
)
PATH=${PATH#*:}
for file in x.* *.new-*; do if [ -e "$file" ]; then echo "LEFT BEHIND: $file"; fi; done

# A real one, where there is one.
if [ -n "$real" ]; then
    "$THRONG" render door.sqlite -o r.mp4 --to 1 --size 320x300 --quiet || echo "NOT WRITTEN"
    head -c 8 r.mp4 | tail -c 4 | grep -q ftyp || echo "NO FILM"
fi
