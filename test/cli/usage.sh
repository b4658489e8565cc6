# How the program is called, and what it says when it is called wrongly.
. "$SOURCE/test/cli/prelude.sh"
door >door.json

"$THRONG" --version | numbers
for verb in "" nonsense rnu measure compare convert sweep; do try $verb; done
try run
try run door.json other.json
try run door.json --thread 2 --quiet
try run door.json --treads 2
try run door.json --frobnicate
try run door.json -x
try run door.json --quiet=yes
try run door.json --dt
try run door.json -o
for value in abc 0 -1 nan inf 0x1 1e 0.1s 1e999 ""; do refused "--dt '$value'" --dt run door.json --dt "$value"; done
for value in 0 -1 2.5 1025 two; do refused "--threads '$value'" --threads run door.json --threads "$value"; done
for value in -1 1.5 99999999999999999999999; do refused "--seed '$value'" --seed run door.json --seed "$value"; done
for value in 0 x; do refused "--every '$value'" --every run door.json --every "$value"; done
refused "--duration -1" --duration run door.json --duration -1
refused "--simd" "auto|plain" run door.json --simd avx
refused "--model" "did you mean 'orca'" run door.json --model orcaa
refused "--model" "there are: none, uic, cpd, pbd, " run door.json --model quantum-foam
refused "--record" "cannot record 'spaces': expected one of" run door.json --record forces --record spaces -o a.sqlite
refused "--record without -o" "-o FILE.sqlite" run door.json --record space
refused "--set without =" KEY=VALUE run door.json --set dt
refused "--set without key" KEY=VALUE run door.json --set =3
try check
try models nobody
try scenarios nowhere
try scenarios demo/botleneck
