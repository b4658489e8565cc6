# The library: every .c file of a room of src/ belongs to it, and the built-in scenarios.

file(GLOB THRONG_SOURCES CONFIGURE_DEPENDS src/*/*.c src/models/*/*.c)

# What stands in their place where there are no threads (viewer/wasm), and without other libraries.
list(FILTER THRONG_SOURCES EXCLUDE REGEX "/base/crew_one\\.c$")
if(THRONG_CORE_ONLY)
    set(THRONG_LEFT_OUT "/record/(sqlite|h5|compact)_?[a-z]*\\.c$|/plan/picture\\.c$|/text/gunzip\\.c$|/checkpoint/packing\\.c$")
    set(THRONG_LIBRARIES "")
else()
    set(THRONG_LEFT_OUT "/(formats|picture|packing|gunzip)_none\\.c$")
    find_package(SQLite3 REQUIRED)
    pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
    find_package(PNG REQUIRED)
    find_package(ZLIB REQUIRED)
    set(THRONG_LIBRARIES SQLite::SQLite3 PkgConfig::ZSTD PNG::PNG ZLIB::ZLIB)
endif()
list(FILTER THRONG_SOURCES EXCLUDE REGEX ${THRONG_LEFT_OUT})

# *_avx2.c are built for AVX2 and chosen at run time; elsewhere they are plain C and never chosen.
file(GLOB THRONG_AVX2 CONFIGURE_DEPENDS src/*/*_avx2.c src/models/*/*_avx2.c)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${THRONG_AVX2} PROPERTIES COMPILE_OPTIONS -mavx2)
endif()

file(GLOB_RECURSE THRONG_SCENARIOS CONFIGURE_DEPENDS scenarios/*.json)
set(THRONG_BUILTIN ${CMAKE_CURRENT_BINARY_DIR}/builtin.c)
add_custom_command(OUTPUT ${THRONG_BUILTIN}
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_CURRENT_SOURCE_DIR} -D OUTPUT=${THRONG_BUILTIN} -D BODIES=${THRONG_BODIES}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${THRONG_SCENARIOS} cmake/embed.cmake
    COMMENT "Embedding the scenarios" VERBATIM)

# The engine for rigid bodies, or what stands in its place without one.
if(THRONG_BODIES)
    pkg_check_modules(ODE REQUIRED IMPORTED_TARGET ode)
    list(FILTER THRONG_SOURCES EXCLUDE REGEX "/bodies/engine_none\\.c$")
    set(THRONG_ENGINE PkgConfig::ODE)
else()
    list(FILTER THRONG_SOURCES EXCLUDE REGEX "/bodies/engine_ode\\.c$")
    set(THRONG_ENGINE "")
endif()

# Several processes as one, by MPI, or what stands in its place.
if(THRONG_MPI)
    find_package(MPI REQUIRED COMPONENTS C)
    list(FILTER THRONG_SOURCES EXCLUDE REGEX "/cluster/cluster_none\\.c$")
    list(APPEND THRONG_ENGINE MPI::MPI_C)
else()
    list(FILTER THRONG_SOURCES EXCLUDE REGEX "/cluster/cluster_mpi\\.c$")
endif()

# Compiled once, linked as the library people get and, when that is a shared one, as a static twin
# for the tests, which look into src/.
add_library(throng_objects OBJECT ${THRONG_SOURCES} ${THRONG_BUILTIN})
target_include_directories(throng_objects PUBLIC include PRIVATE src)
target_compile_definitions(throng_objects PRIVATE THRONG_VERSION="${PROJECT_VERSION}")
target_link_libraries(throng_objects PRIVATE throng_flags ${THRONG_LIBRARIES} ${THRONG_ENGINE} Threads::Threads)

function(throng_library name)
    add_library(${name} ${ARGN} $<TARGET_OBJECTS:throng_objects>)
    target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${name} PRIVATE ${THRONG_LIBRARIES} ${THRONG_ENGINE} Threads::Threads m)
endfunction()

include(GNUInstallDirs)
throng_library(throng)
set_target_properties(throng PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
add_library(throng::throng ALIAS throng)

if(BUILD_SHARED_LIBS)
    throng_library(throng_inside STATIC EXCLUDE_FROM_ALL)
else()
    add_library(throng_inside ALIAS throng)
endif()
