/* pace_avx2.c: the way that those ahead leave to somebody, for AVX2; the same bits as pace.c. */

#include "wish/pace_kernel.h"

double throng_pace_way_avx2(const throng_wishing *wishing, const throng_outlook *me) { return look_ahead(wishing, me); }
