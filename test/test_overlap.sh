# validate_overlap, which shares no code with the library, finds what the library says about itself, and
# finds what happens between frames alone.

check=$BUILD/validate/validate_overlap

# compare SCENE MODEL DT ARGUMENTS: the least gap, to nine digits
compare() {
    "$THRONG" run "$1" --model "$2" --dt "$3" --duration 5 --every 1 -o run.sqlite --quiet --stats stats.json
    "$check" run.sqlite ${4:-} >found.json || [ $? = 1 ] || exit 1
    awk -v own="$(tr -d '\n' <stats.json | sed 's/.*"nearest_gap_m"[^}]*"min": *\([-0-9.e+]*\).*/\1/')" \
        -v found="$(sed 's/.*"people": {"least_gap_m": *\([-0-9.e+]*\).*/\1/' found.json)" \
        'BEGIN { d = own - found; exit !(d < 1e-8 && d > -1e-8) }' || { echo "$1 $2 $3"; cat stats.json found.json; exit 1; }
}
compare implicit/crossing-dense orca 0.1 --open
compare implicit/crossing-dense powerlaw 0.1 --open
compare implicit/bottleneck-2.5m powerlaw 0.1 --open
compare demo/corner orca 0.1

# Two who change places in one step and one who jumps over a wall are apart from everything in each frame.
cat >make.py <<'END'
import sqlite3
file = sqlite3.connect("jump.sqlite")
file.executescript("""
CREATE TABLE trajectory_data (frame, id, pos_x REAL, pos_y REAL, ori_x REAL, ori_y REAL);
CREATE TABLE metadata(key, value); CREATE TABLE geometry(hash, wkt); CREATE TABLE frame_data(frame, geometry_hash);
CREATE TABLE x_agents(id, radius); CREATE TABLE x_walls(wkt, geometry_hash);
INSERT INTO metadata VALUES ('fps', '10.0');
INSERT INTO geometry VALUES (7, 'POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0), (9 9, 9 11, 11 11, 11 9, 9 9))');
INSERT INTO x_walls VALUES ('LINESTRING (2 15, 8 15)', 7);
INSERT INTO frame_data VALUES (0, 7), (1, 7);
INSERT INTO x_agents VALUES (1, 0.25), (2, 0.25), (3, 0.2);
INSERT INTO trajectory_data VALUES (0, 1, 4, 4, 0, 0), (0, 2, 6, 4.3, 0, 0), (1, 1, 6, 4, 0, 0), (1, 2, 4, 4.3, 0, 0),
                                   (0, 3, 5, 14.5, 0, 0), (1, 3, 5, 15.5, 0, 0);
""")
file.commit()
END
python3 make.py
if "$check" jump.sqlite >found.json; then
    echo "nothing found in the jump"
    exit 1
fi
grep -q '"people": {"least_gap_m": -0.2, "deepest_fraction": 0.4, "time_s": 0.1, "who": \[1, 2\], "steps": 1, "overlaps": 1,' found.json &&
    grep -q '"walls": {"least_gap_m": -0.2, "deepest_m": 0.2, "time_s": 0.1, "who": \[3, [0-9]*\], "steps": 1, "overlaps": 1}' found.json ||
    { cat found.json; exit 1; }

# Pairs are counted at the moments of frames as well, between people of any size.
cat >make.py <<'END'
import sqlite3
file = sqlite3.connect("jump.sqlite")
file.executescript("""
INSERT INTO frame_data VALUES (2, 7);
INSERT INTO x_agents VALUES (4, 4), (5, 1);
INSERT INTO trajectory_data VALUES (2, 4, 14, 6, 0, 0), (2, 5, 14, 1.1, 0, 0), (2, 2, 14, 10.2, 0, 0), (2, 1, 13.61, 10.2, 0, 0);
""")
file.commit()
END
python3 make.py
"$check" jump.sqlite --series series.csv >found.json && exit 1
printf 'time_s,pairs,over_5pct\n0,0,0\n0.1,0,0\n0.2,4,1\n' | diff - series.csv
grep -q '"pairs_most": 4, "over_5pct_most": 1}' found.json || { cat found.json; exit 1; }

# A door that slides shut in one step stops before people who keep apart.
"$THRONG" run "$SOURCE/validate/scenes/closing-door.json" --dt 2 --seed 2 --duration 10 --every 1 -o door.sqlite --quiet 2>/dev/null
"$check" door.sqlite >found.json || { cat found.json; exit 1; }
