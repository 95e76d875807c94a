// Preloaded into a program: the system's wall clock then jumps an hour forward or back at every look, as when it is set
// during a run. The steady clock is left alone.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec* now) {
  static int looks = 0;
  const int result = (int)syscall(SYS_clock_gettime, id, now);
  if (id == CLOCK_REALTIME) now->tv_sec += ++looks % 2 ? 3600 : -3600;
  return result;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
