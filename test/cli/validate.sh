# throng validate: experiments with real people, beside recordings of them where there are some, and what is refused.
. "$SOURCE/test/cli/prelude.sh"
unset THRONG_DATA

try validate --case people/free-walk --model orca --seeds 1 --quiet --csv -
"$THRONG" validate --case people/door-300 --list

# A recording of two who walk abreast past the line, as if they were real people at the T-junction.
mkdir -p data/hermes_ko_240
{
    echo "# framerate: 10"
    echo "# ID frame x/m y/m"
    awk 'BEGIN { for (id = 1; id <= 2; id++) for (f = 0; f < 60; f++) printf "%d %d %.2f %.2f\n", id, f, -0.6 * id, 0.1 * f }'
} >data/hermes_ko_240/ko-240-050-240.txt
"$THRONG" validate --data data --case people/t-junction --model orca --seeds 1 --csv out.csv --quiet 2>&1
grep real out.csv

"$THRONG" validate --case people/free-walk --model orca --seeds 1 --quiet --csv - --set agents[0].desired_speed=1 | cut -d, -f 4
refused "a folder that is none" "expected a folder" validate --data nowhere
refused "a case that is none" "did you mean 'people/plaza'" validate --case people/piazza
echo "no recording" >data/hermes_ko_240/ko-240-050-240.txt
"$THRONG" validate --data data --case people/t-junction --model orca --seeds 1 --quiet 2>&1 | grep -c "ko-240-050-240.txt"
