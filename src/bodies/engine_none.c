/* engine_none.c: in the place of engine_ode.c in a build without rigid bodies. */

#include <stddef.h>

#include "bodies/engine.h"

const throng_engine *throng_the_engine(void) { return NULL; }
