/* kernel.c: the kernels of `orca-forces` in plain C, for any machine. */

#include "models/orca-forces/alone_kernel.h"
#include "models/orca-forces/contact_kernel.h"
#include "models/orca-forces/separation_kernel.h"

const throng_forces_kernel throng_forces_plain = {take_bodies, find_contacts, add_contacts,   make_lines, find_gifts,
                                                  find_walls,  count_ahead,   look_for_close, pair_up,    sweep};
