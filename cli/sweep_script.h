/* sweep_script.h: a sweep as commands for other machines: one for each run, or an array of jobs for Slurm. */

#ifndef CLI_SWEEP_SCRIPT_H
#define CLI_SWEEP_SCRIPT_H

#include "study.h"

/* Prints a command for each of the runs; their results are parts of `output` ("results.sqlite"). */
void sweep_print_list(const study *s, const uint64_t *runs, size_t count, const char *output);
/* Writes a script for sbatch with so many jobs. False after a complaint. */
bool sweep_write_slurm(const study *s, const char *path, size_t parts, const char *output);

#endif
