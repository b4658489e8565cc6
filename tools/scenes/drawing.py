"""What the scripts that draw several scenes share: the command line."""

import os
import sys


def main(about, names, written):
    """`written` makes of a name the text of a scenario file."""
    if len(sys.argv) == 3 and sys.argv[1] == "--all":
        for name in names:
            with open(os.path.join(sys.argv[2], name + ".json"), "w", encoding="utf-8") as file:
                file.write(written(name))
    elif len(sys.argv) == 2 and sys.argv[1] in names:
        print(written(sys.argv[1]), end="")
    else:
        sys.exit(f"{about.strip()}\n\nNAME is one of {', '.join(names)}")
