# How our own sources are compiled; nothing of it reaches those who link the library.

add_library(throng_flags INTERFACE)
target_compile_definitions(throng_flags INTERFACE _POSIX_C_SOURCE=200809L)

# The same bits everywhere: no fused arithmetic, and (by not asking for it) none that is reordered.
target_compile_options(throng_flags INTERFACE -ffp-contract=off)

target_compile_options(throng_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
    -Wmissing-prototypes -Wvla)
if(THRONG_WERROR)
    target_compile_options(throng_flags INTERFACE -Werror)
endif()
# Public functions that call each other may be inlined in a shared library too, as clang does anyway.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(throng_flags INTERFACE -fno-semantic-interposition)
endif()

if(THRONG_SANITIZE)
    add_compile_options(-fsanitize=${THRONG_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${THRONG_SANITIZE})
    if(THRONG_SANITIZE MATCHES "undefined")
        add_compile_options(-fno-sanitize-recover=all)
    endif()
endif()
if(THRONG_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
