/* halo_parts.h: several worlds in one process as parts of one. Each runs by itself (as a coroutine) until it needs the
 * bytes of others; who goes on next is drawn, so that messages come early and late, in any order. */

#ifndef THRONG_HALO_PARTS_H
#define THRONG_HALO_PARTS_H

#include <stdlib.h>
#include <string.h>
#include <throng/halo.h>
#include <ucontext.h>

enum { PARTS_MOST = 8, STACK = 1 << 22 };

typedef struct mail mail;

typedef struct mailbox {
    mail *office;
    size_t part, round;
    ucontext_t context;
    char *stack, *letters[PARTS_MOST]; /* [from] */
    void (*work)(void *of);
    void *of;
    bool done;
} mailbox;

struct mail {
    size_t part_count;
    uint64_t draws;
    ucontext_t home;
    mailbox boxes[PARTS_MOST];
    throng_packet sent[2][PARTS_MOST][PARTS_MOST]; /* [odd rounds][from][to] */
};

/* Waits until all have sent theirs, and takes them; a sender is at most one round ahead. */
static inline void fetch_letters(mailbox *m, throng_packet *in) {
    size_t round = m->round++ & 1;
    swapcontext(&m->context, &m->office->home);
    for (size_t from = 0; from < m->office->part_count; from++) {
        throng_packet letter = m->office->sent[round][from][m->part];
        free(m->letters[from]);
        m->letters[from] = malloc(letter.size + 1);
        if (letter.size) memcpy(m->letters[from], letter.bytes, letter.size);
        in[from] = (throng_packet){m->letters[from], letter.size};
    }
}

/* What is sent may change as soon as the sender goes on. */
static inline void post(mailbox *m, size_t to, throng_packet letter) {
    throng_packet *at = &m->office->sent[m->round & 1][m->part][to];
    free((void *)(uintptr_t)at->bytes);
    char *bytes = malloc(letter.size + 1);
    if (letter.size) memcpy(bytes, letter.bytes, letter.size);
    *at = (throng_packet){bytes, letter.size};
}

static inline void swap_letters(void *context, const throng_packet *out, throng_packet *in) {
    mailbox *m = context;
    for (size_t p = 0; p < m->office->part_count; p++) post(m, p, out[p]);
    fetch_letters(m, in);
}

static inline void share_letters(void *context, throng_packet own, throng_packet *all) {
    mailbox *m = context;
    for (size_t p = 0; p < m->office->part_count; p++) post(m, p, own);
    fetch_letters(m, all);
}

static inline throng_transport mail_transport(mail *office, size_t part) {
    return (throng_transport){part, office->part_count, &office->boxes[part], swap_letters, share_letters};
}

static inline void run_box(unsigned high, unsigned low) {
    mailbox *m = (mailbox *)((uintptr_t)high << 32 | low);
    m->work(m->of);
    m->done = true;
}

/* Lets all parts work until they are done. */
static inline void run_mail(mail *office, void (*work)(void *of), void *const *of) {
    size_t left = office->part_count;
    for (size_t p = 0; p < left; p++) {
        mailbox *m = &office->boxes[p];
        *m = (mailbox){.office = office, .part = p, .stack = malloc(STACK), .work = work, .of = of[p]};
        getcontext(&m->context);
        m->context.uc_stack.ss_sp = m->stack;
        m->context.uc_stack.ss_size = STACK;
        m->context.uc_link = &office->home;
        uintptr_t at = (uintptr_t)m;
        makecontext(&m->context, (void (*)(void))run_box, 2, (unsigned)(at >> 32), (unsigned)at);
    }
    while (left > 0) {
        size_t order[PARTS_MOST];
        for (size_t p = 0; p < office->part_count; p++) {
            office->draws = office->draws * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(office->draws >> 33) % (p + 1);
            order[p] = order[at];
            order[at] = p;
        }
        for (size_t k = 0; k < office->part_count; k++) {
            mailbox *m = &office->boxes[order[k]];
            if (m->done) continue;
            swapcontext(&office->home, &m->context);
            left -= m->done;
        }
    }
}

static inline void close_mail(mail *office) {
    for (size_t p = 0; p < office->part_count; p++) {
        free(office->boxes[p].stack);
        for (size_t q = 0; q < office->part_count; q++) {
            free(office->boxes[p].letters[q]);
            for (size_t r = 0; r < 2; r++) free((void *)(uintptr_t)office->sent[r][p][q].bytes);
        }
    }
}

#endif
