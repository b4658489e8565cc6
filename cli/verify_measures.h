/* verify_measures.h: numbers of a run that criteria ask for. `where` is what stands behind each; two names are parted
 * by '>'. NaN where it cannot be told: nobody crossed the line, not all have left. */

#ifndef CLI_VERIFY_MEASURES_H
#define CLI_VERIFY_MEASURES_H

#include "verify.h"

/* Everybody (verify_measures.c). */
double measure_left_inside(const verify_run *run, const char *unused); /* people */
double measure_outside(const verify_run *run, const char *unused);     /* positions more than 1 mm out of the floor, and
                                                                        * ways through     walls from a frame to the next */
double measure_odd(const verify_run *run, const char *unused);         /* moves that were no number */
double measure_evacuation(const verify_run *run, const char *unused);  /* s until the last has left */
double measure_arrived(const verify_run *run, const char *unused);     /* people */
double measure_digest(const verify_run *run, const char *unused);      /* some bits of it, to compare */
double measure_beyond_x(const verify_run *run, const char *x);         /* positions with a larger x */
double measure_backward(const verify_run *run,
                        const char *unused); /* share of positions with v_x < -0.05 m/s, after 10 s */
double measure_overtakings(const verify_run *run, const char *middle); /* frames whose order about "x,y" is another */

/* One or two people: the first, and the second. */
double measure_sideways(const verify_run *run, const char *unused);   /* m, most that the first leaves its row */
double measure_distance(const verify_run *run, const char *unused);   /* m, least between their middles */
double measure_shift(const verify_run *run, const char *person);      /* m, most from where "1" or "2" began */
double measure_last_speed(const verify_run *run, const char *unused); /* m/s of the first over the last 5 s */
double measure_farthest_x(const verify_run *run, const char *unused); /* m, of the first */

/* Lines (verify_lines.c). */
double measure_time_between(const verify_run *run, const char *lines);       /* s of the first person */
double measure_first_time(const verify_run *run, const char *line);          /* s when the first person crosses */
double measure_last_time(const verify_run *run, const char *line);           /* s when the last of all crosses */
double measure_last_of_group(const verify_run *run, const char *line_group); /* ... of a group: "line>group" */
double measure_count(const verify_run *run, const char *line);
double measure_count_more(const verify_run *run, const char *lines);  /* people at the first less those at the second */
double measure_flow(const verify_run *run, const char *line);         /* 1/(m s), middle 60 % of those who cross */
double measure_flow_through(const verify_run *run, const char *line); /* the same in 1/s */
double measure_flow_80(const verify_run *run, const char *line);      /* ... middle 80 % */
double measure_flow_all(const verify_run *run, const char *line);     /* ... from the start until the last */
double measure_flow_more(const verify_run *run, const char *lines);   /* 1/s at the first less at the second */
double measure_flow_apart(const verify_run *run, const char *lines);  /* its size */
double measure_least_door(const verify_run *run, const char *doors);  /* 1/(m s), of lines named like this */
double measure_most_door(const verify_run *run, const char *doors);
double measure_balance(const verify_run *run, const char *doors);    /* most over least people of such lines */
double measure_wrong_exit(const verify_run *run, const char *lines); /* people; the first line leads to "MAIN" */
double measure_earlier(const verify_run *run,
                       const char *lines); /* s from the first at the one to the first at the other */

/* Speeds walked between two lines, of everybody. */
double measure_speed_error(const verify_run *run, const char *lines); /* most |walked - desired| / desired */
double measure_speed_mean(const verify_run *run, const char *lines);
double measure_speed_sd(const verify_run *run, const char *lines);
double measure_speed_ks(const verify_run *run, const char *lines); /* p that they are those assigned */

/* When people start (verify_starts.c). */
double measure_start_error(const verify_run *run, const char *unused); /* s from 10, 20, 30, ... for the first, ... */
double measure_start_drift(const verify_run *run, const char *unused); /* m walked before that */
double measure_start_ks(const verify_run *run,
                        const char *distribution); /* p that starts are of "normal 60 20"; who starts gets faster
                                                    * than half its desired speed */
double measure_placement_p(const verify_run *run, const char *axis);      /* p of 10 equal bins along "x" or "y" */
double measure_start_overlaps(const verify_run *run, const char *unused); /* pairs at the beginning */

/* Areas (verify_areas.c). */
double measure_area_seconds(const verify_run *run, const char *area);   /* summed over people */
double measure_area_positions(const verify_run *run, const char *area); /* more than 1 mm inside */
double measure_area_speed(const verify_run *run, const char *area);     /* m/s, mean from 10 s on */
double measure_area_speed_always(const verify_run *run, const char *area);
double measure_peak_more(const verify_run *run, const char *areas); /* 1/m2, peak of the first less the second's */
double measure_queue_density(const verify_run *run,
                             const char *area_line); /* 1/m2 while 20 to 80 % pass: "area>line" */
double measure_queue_more(const verify_run *run,
                          const char *areas); /* ... of the one less the other, at "corridor_in" */
double measure_weidmann_error(const verify_run *run, const char *area); /* |v - v_W| / v_W */
double measure_capacity(const verify_run *run, const char *area);       /* 1/(m s), speed there times people per m2 */
double measure_areas_apart(const verify_run *run, const char *unused);  /* (most - least) / mean speed of all areas */
double measure_single_file_speed(const verify_run *run, const char *area);     /* m/s, mean from 60 s on */
double measure_in_percentiles(const verify_run *run, const char *area_length); /* 1: within RiMEA 16's; "area>m" */
void verify_percentiles(double density, double *low, double *high);            /* of RiMEA 16: m/s at people per m */

/* What real experiments are known for (validate_measures.c). "Steady" is the middle 60 % of everybody's time in the
 * area, density by Voronoi cells, once a second. */
double measure_steady_density(const verify_run *run, const char *area);   /* 1/m2 */
double measure_steady_speed(const verify_run *run, const char *area);     /* m/s */
double measure_steady_flow(const verify_run *run, const char *area);      /* 1/(m s), density times speed */
double measure_speed_gap(const verify_run *run, const char *area_curve);  /* m/s, less real people's; "area>one way" */
double measure_stopped(const verify_run *run, const char *area);          /* share of seconds slower than 0.1 m/s */
double measure_standing(const verify_run *run, const char *unused);       /* share of people in the last 20 s */
double measure_door_flow(const verify_run *run, const char *line);        /* 1/s, middle 80 % */
double measure_before_door(const verify_run *run, const char *area_line); /* m, median of nearest neighbours while
                                                                           * 10 to 60 % pass */
double measure_bands(const verify_run *run, const char *area_axis);       /* Yamori's index; "area>x" */
double measure_power(const verify_run *run, const char *unused);          /* exponent of the power law */
double measure_power_energy(const verify_run *run, const char *from_to);  /* mean energy from so many s to so many */
double measure_reversals(const verify_run *run, const char *unused);      /* 1/s */
double measure_jerk(const verify_run *run, const char *unused);           /* m/s3, what 95 % do not exceed */
double verify_real_speed(const char *curve, double density);              /* m/s; NaN: no such curve */

/* Statistics (verify_statistics.c). */
double verify_ks_p(double *a, size_t a_count, double *b, size_t b_count); /* two samples, which it sorts */
double verify_ks_p_of(double *sample, size_t count, double (*cumulative)(double x, const double *shape),
                      const double *shape);
double verify_chi2_p(double chi2, double freedom);
double verify_gamma_part(double a, double x); /* regularised lower incomplete gamma */

/* Shared. */
bool verify_mark(const verify_run *run, throng_mark_kind kind, const char *name, size_t length, throng_mark *mark);
bool verify_pair(const verify_run *run, throng_mark_kind kind, const char *names, throng_mark *a, throng_mark *b);
bool verify_is_outside(const verify_run *run, double x, double y); /* more than 1 mm out of the floor */
double verify_ring_distance(throng_ring ring, double x, double y); /* m to its outline */
double verify_ring_area(throng_ring ring);
/* The rows of a person in order of time; those of its first piece. */
size_t verify_rows_of(const verify_run *run, size_t person, const uint32_t **rows);

#endif
