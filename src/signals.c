/* The flag that signals set. Invariant: a signal that was ignored when the program started stays ignored. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int caught;

static const int taken[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGXFSZ};

static void remember(int number)
{
    int none = 0;
    atomic_compare_exchange_strong(&caught, &none, number);
}

void signals_install(void)
{
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        struct sigaction before, action = {.sa_handler = remember};
        if (sigaction(taken[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN)
            continue;
        /* Without SA_RESTART: a read or an open that waits for the other end must come back to see the flag. */
        sigemptyset(&action.sa_mask);
        sigaction(taken[i], &action, NULL);
    }
}

int signals_caught(void)
{
    return atomic_load(&caught);
}

void signals_raise_again(void)
{
    int number = signals_caught();
    if (!number)
        return;
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}
