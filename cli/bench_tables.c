/* bench_tables.c: see bench.h. Figures of papers are from their tables; those of programs were measured on one core of
 * an AMD EPYC (Zen 3, about 3.1 GHz), compiled by gcc 12 -O3 -march=native. */

#include "bench.h"

/* A frame is 1/24 s: two sub-steps of six iterations. */
static const bench_row pbd[] = {
    {"pbd/sparse-passing", NULL, {0}, 11.27, 720, 60, 1600},
    {"pbd/dense-passing", NULL, {0}, 12.03, 720, 60, 1600},
    {"pbd/dense-passing-10k", NULL, {0}, 14.06, 720, 40, 10032},
    {"pbd/bears-and-rabbits", NULL, {0}, 11.86, 960, 60, 1152},
    {"pbd/ellipsoid", NULL, {0}, 10.06, 720, 60, 1920},
    {"pbd/circle-250", NULL, {"model.params.pbd.anticipation=full"}, 11.09, 840, 100, 250},
    {"pbd/circle-1000", NULL, {0}, 12.35, 1560, 60, 1000},
    {"pbd/two-crossing", NULL, {0}, 9.25, 600, 100, 220},
    {"pbd/four-flows", NULL, {0}, 8.13, 840, 60, 800},
    {"pbd/proximal", NULL, {0}, 10.13, 360, 100, 100},
    {"pbd/target", NULL, {0}, 10.42, 720, 100, 192},
    {"pbd/bottleneck-480", NULL, {0}, 11.99, 960, 100, 480},
    {"pbd/bottleneck-3600", NULL, {0}, 17.76, 960, 60, 3600},
    {"pbd/bottleneck-100k", NULL, {0}, 43.66, 24, 24, 100048},
};

static const bench_row cpd[] = {
    {"cpd/table1-100", NULL, {0}, 450, 100, 200, 100},   {"cpd/table1-500", NULL, {0}, 266, 100, 200, 500},
    {"cpd/table1-1000", NULL, {0}, 134, 100, 100, 1000}, {"cpd/table1-1500", NULL, {0}, 121, 100, 100, 1500},
    {"cpd/table1-2000", NULL, {0}, 89, 100, 100, 2000},  {"cpd/table1-5000", NULL, {0}, 47, 50, 60, 5000},
    {"cpd/table1-10000", NULL, {0}, 25, 50, 60, 10000},  {"cpd/table1-15000", NULL, {0}, 20, 30, 40, 15000},
    {"cpd/table1-20000", NULL, {0}, 14, 30, 40, 20000},
};

static const bench_row uic[] = {
    {"uic/circle-10k", NULL, {0}, 34.2, 400, 100, 10000},
    {"uic/mosque-25k", NULL, {0}, 88.1, 300, 40, 25000},
    {"uic/trade-show-80k", NULL, {0}, 806, 150, 20, 80000},
    {"uic/campsite-100k", NULL, {0}, 447, 150, 20, 100000},
};

static const bench_row forces[] = {
    {"forces/dense-crossing-1601", NULL, {0}, 229.6, 100, 160, 1601},
    {"forces/two-bottlenecks-1000", NULL, {0}, 829.7, 400, 200, 1000},
    {"forces/rolling-balls", NULL, {0}, 1205.9, 100, 400, 10},
    {"forces/wall-breaking", NULL, {0}, 50.1, 40, 260, 1200},
    {"forces/office", NULL, {0}, 69.0, 40, 260, 1200},
};

static const bench_row rvo2[] = {
    {"orca/random-1k", NULL, {0}, 1.30, 50, 100, 1000},
    {"orca/random-10k", NULL, {0}, 1.59, 50, 30, 10000},
    {"orca/random-100k", NULL, {0}, 3.8, 50, 10, 100000},
    {"orca/random-1k", "orca/random-1k with 20 neighbours", {"model.params.max_neighbours=20"}, 2.18, 50, 100, 1000},
    {"orca/random-10k", "orca/random-10k with 20 neighbours", {"model.params.max_neighbours=20"}, 2.65, 50, 30, 10000},
    {"orca/circle-1000", NULL, {0}, 1.23, 900, 100, 1000},
};

/* Not the same scene, but of its kind. The least of what they were measured to need. */
static const bench_row peers[] = {
    {"orca/random-1k", "DetourCrowd; orca", {0}, 5.0, 50, 100, 1000},
    {"demo/bottleneck", "JuPedSim 1.4.2, collision-free speed; orca", {"dt=0.01"}, 5.4, 500, 200, 500},
    {"implicit/random-2000",
     "PowerLaw, its authors' program; powerlaw",
     {"model.name=powerlaw", "dt=0.02"},
     2.5,
     40,
     40,
     2000},
    {"implicit/random-500", "Implicit Crowds, its authors' program; implicit", {"dt=0.25"}, 230, 40, 40, 500},
    {"implicit/random-2000", "Implicit Crowds, 2,000 people; implicit", {"dt=0.25"}, 308, 20, 20, 2000},
    {"demo/bottleneck", "libpedsim; orca", {0}, 73, 200, 200, 500},
};

#define ROWS(list) list, sizeof list / sizeof *list

const bench_table bench_tables[] = {
    {"orca", "orca beside the library RVO2: neighbours, decisions and moving",
     "RVO2 (float, one thread of an AMD EPYC at 3.1 GHz)", BENCH_US, true, true, ROWS(rvo2)},
    {"peers", "other programs in scenes of the same kind, not the same scenes",
     "the least of what they were measured to need on one thread of an AMD EPYC at 3.1 GHz", BENCH_US, true, false,
     ROWS(peers)},
    {"pbd", "pbd: table 1 of Weiss et al. 2019, a frame of two sub-steps", "a GeForce GT 750M, without drawing",
     BENCH_MS, false, false, ROWS(pbd)},
    {"uic", "uic: table 1 of Narain et al. 2009", "a Core i7-965", BENCH_MS, false, false, ROWS(uic)},
    {"cpd", "cpd: table 1 of Hesham & Wainer 2021, its best column", "a graphics card, instanced rendering", BENCH_FPS,
     false, false, ROWS(cpd)},
    {"forces", "orca-forces: Kim et al. 2013, people and things", "one core of an i7 at 3.4 GHz", BENCH_FPS, true,
     false, ROWS(forces)},
};

const size_t bench_table_count = sizeof bench_tables / sizeof *bench_tables;
