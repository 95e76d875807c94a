// What a program does between two MPI_Allreduce: preloaded into it, between it and MPI, for scripts/compare-mpi.sh.
//
//   MPI_GAP=FILE LD_PRELOAD=mpi_gap.so PROGRAM…
//
// Rank 0 appends to FILE, for each number of bytes that was reduced in f32, the calls that followed another one of the same bytes, the median and
// the 99th percentile of the nanoseconds between the return from one and the next call, and the median within a call. Its own looks at the clock
// are in all of them: they cancel where two programs are compared.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { most_sizes = 64, most_calls = 1 << 16 };

struct seen {
  long bytes;
  long calls;
  unsigned gaps[most_calls];    // nanoseconds; the last ones, in a ring
  unsigned inside[most_calls];
};

static struct seen sizes[most_sizes];
static int known;
static long last_bytes = -1;  // of the call before, where nothing but it was asked of MPI since
static long long left;        // nanoseconds at which it returned

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static struct seen *of(long bytes) {
  for (int i = 0; i < known; ++i)
    if (sizes[i].bytes == bytes) return &sizes[i];
  if (known == most_sizes) return NULL;
  sizes[known].bytes = bytes;
  return &sizes[known++];
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm of_whom) {
  const long long came = now();
  const int result = PMPI_Allreduce(in, out, count, type, op, of_whom);
  const long long leaves = now();
  const long bytes = type == MPI_FLOAT ? 4L * count : -1;
  struct seen *const size = bytes >= 0 ? of(bytes) : NULL;
  if (size && bytes == last_bytes) {
    const long at = size->calls++ % most_calls;
    size->gaps[at] = (unsigned)(came - left);
    size->inside[at] = (unsigned)(leaves - came);
  }
  last_bytes = bytes;
  left = now();
  return result;
}

// An interval begins behind it: what passed before is not between two operations.
int MPI_Barrier(MPI_Comm of_whom) {
  last_bytes = -1;
  return PMPI_Barrier(of_whom);
}

static int ascending(const void *a, const void *b) {
  const unsigned x = *(const unsigned *)a;
  const unsigned y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

int MPI_Finalize(void) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *const name = getenv("MPI_GAP");
  FILE *const file = rank == 0 && name ? fopen(name, "a") : NULL;
  for (int i = 0; i < known && file; ++i) {
    struct seen *const size = &sizes[i];
    const size_t n = (size_t)(size->calls < most_calls ? size->calls : most_calls);
    if (n == 0) continue;
    qsort(size->gaps, n, sizeof(unsigned), ascending);
    qsort(size->inside, n, sizeof(unsigned), ascending);
    fprintf(file, "%ld %ld %u %u %u\n", size->bytes, size->calls, size->gaps[n / 2], size->gaps[n - 1 - n / 100], size->inside[n / 2]);
  }
  if (file) fclose(file);
  return PMPI_Finalize();
}
