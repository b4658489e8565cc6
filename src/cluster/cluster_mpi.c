/* cluster_mpi.c: ranks of MPI as parts of a crowd. The only file that knows MPI.
 *
 * Everybody first tells everybody how many bytes will come, then sends those there are: a part has few neighbours, so
 * most packets are empty and nothing is sent for them. Packets beyond 2^30 bytes go in pieces, as MPI counts in int. */

#include <mpi.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "cluster/cluster.h"

enum { PIECE = 1 << 30, TAG = 7 };

typedef struct ranks {
    size_t rank, count;
    uint64_t *out_size, *in_size; /* [rank] bytes */
    char *bytes;                  /* of all packets that have come */
    size_t capacity;
    MPI_Request *requests;
    size_t request_count, request_capacity;
    int *counts, *offsets; /* [rank] scratch of share */
} ranks;

static ranks all_ranks;

/* Room for all packets; in[r] is where the packet of r belongs. */
static void lay_out(ranks *r, throng_packet *in) {
    size_t size = 0;
    for (size_t p = 0; p < r->count; p++) size += r->in_size[p];
    THRONG_GROW(r->bytes, r->capacity, size);
    size = 0;
    for (size_t p = 0; p < r->count; p++) {
        in[p] = (throng_packet){r->bytes + size, r->in_size[p]};
        size += r->in_size[p];
    }
}

static MPI_Request *another_request(ranks *r) {
    THRONG_GROW(r->requests, r->request_capacity, r->request_count + 1);
    return &r->requests[r->request_count++];
}

static int piece_of(size_t size, size_t at) { return (int)(size - at < PIECE ? size - at : PIECE); }

static void swap(void *context, const throng_packet *out, throng_packet *in) {
    ranks *r = context;
    for (size_t p = 0; p < r->count; p++) r->out_size[p] = p == r->rank ? 0 : out[p].size;
    MPI_Alltoall(r->out_size, 1, MPI_UINT64_T, r->in_size, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    lay_out(r, in);
    r->request_count = 0;
    for (size_t k = 1; k < r->count; k++) {
        size_t from = (r->rank + r->count - k) % r->count, to = (r->rank + k) % r->count;
        for (size_t at = 0; at < in[from].size; at += PIECE)
            MPI_Irecv((char *)(uintptr_t)in[from].bytes + at, piece_of(in[from].size, at), MPI_BYTE, (int)from, TAG,
                      MPI_COMM_WORLD, another_request(r));
        for (size_t at = 0; at < r->out_size[to]; at += PIECE)
            MPI_Isend((const char *)out[to].bytes + at, piece_of(out[to].size, at), MPI_BYTE, (int)to, TAG,
                      MPI_COMM_WORLD, another_request(r));
    }
    MPI_Waitall((int)r->request_count, r->requests, MPI_STATUSES_IGNORE);
}

static void share(void *context, throng_packet own, throng_packet *all) {
    ranks *r = context;
    uint64_t size = own.size, sum = 0;
    MPI_Allgather(&size, 1, MPI_UINT64_T, r->in_size, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    lay_out(r, all);
    for (size_t p = 0; p < r->count; p++) sum += r->in_size[p];
    if (sum <= PIECE) {
        for (size_t p = 0; p < r->count; p++) {
            r->counts[p] = (int)all[p].size;
            r->offsets[p] = (int)((const char *)all[p].bytes - r->bytes);
        }
        MPI_Allgatherv(own.bytes, (int)own.size, MPI_BYTE, r->bytes, r->counts, r->offsets, MPI_BYTE, MPI_COMM_WORLD);
        return;
    }
    if (own.size) memcpy((char *)(uintptr_t)all[r->rank].bytes, own.bytes, own.size);
    for (size_t p = 0; p < r->count; p++) {
        for (size_t at = 0; at < all[p].size; at += PIECE)
            MPI_Bcast((char *)(uintptr_t)all[p].bytes + at, piece_of(all[p].size, at), MPI_BYTE, (int)p,
                      MPI_COMM_WORLD);
    }
}

bool throng_cluster_begin(throng_cluster *cluster, throng_error *error) {
    ranks *r = &all_ranks;
    int provided = MPI_THREAD_SINGLE, rank = 0, count = 1, beside = 1;
    *r = (ranks){.count = 1};
    *cluster = (throng_cluster){.transport = {0, 1, r, swap, share}, .beside = 1};
    if (throng_started_with(&r->rank) < 2) return true;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &beside);
    MPI_Comm_free(&here);
    r->rank = (size_t)rank;
    r->count = (size_t)count;
    r->out_size = throng_allocate(r->count * sizeof *r->out_size);
    r->in_size = throng_allocate(r->count * sizeof *r->in_size);
    r->counts = throng_allocate(r->count * sizeof *r->counts);
    r->offsets = throng_allocate(r->count * sizeof *r->offsets);
    cluster->transport.part = r->rank;
    cluster->transport.part_count = r->count;
    cluster->beside = (size_t)beside;
    if (provided < MPI_THREAD_FUNNELED) return throng_refuse(error, 0, 0, "this MPI cannot stand threads");
    return true;
}

int throng_cluster_most(int number) {
    int most = number;
    if (all_ranks.count > 1) MPI_Allreduce(&number, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

void throng_cluster_abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

void throng_cluster_end(void) {
    ranks *r = &all_ranks;
    if (r->count < 2) return;
    MPI_Finalize();
    THRONG_RELEASE(r->out_size, r->in_size, r->bytes, r->requests, r->counts, r->offsets);
    *r = (ranks){.count = 1};
}
