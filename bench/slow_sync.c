/* Makes every sync take longer, to measure on a fast disk what a slower one would show:
 *
 *     cc -shared -fPIC -o /tmp/slow_sync.so bench/slow_sync.c
 *     SLOW_SYNC_MICROS=1000 LD_PRELOAD=/tmp/slow_sync.so memoir-bench ingest
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int synced(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int result = real(file);
    const char *given = getenv("SLOW_SYNC_MICROS");
    long micros = given ? atol(given) : 1000;
    struct timespec wait = {micros / 1000000, micros % 1000000 * 1000};
    nanosleep(&wait, 0);
    return result;
}

int fsync(int file) { return synced("fsync", file); }

int fdatasync(int file) { return synced("fdatasync", file); }
