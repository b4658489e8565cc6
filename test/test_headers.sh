# Each public header compiles alone, as C and as C++.

cxx=$(command -v c++ || command -v g++ || command -v clang++) || { echo "no C++ compiler"; exit 1; }
for header in "$SOURCE"/include/throng/*.h; do
    echo "#include <throng/$(basename "$header")>" >alone.c
    cp alone.c alone.cpp
    "$CC" -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -fsyntax-only alone.c
    "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -fsyntax-only alone.cpp
done
