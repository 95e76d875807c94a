// What a program gets from MPI_Allreduce: a plain loop around it, with nothing of Ridge in it, for scripts/compare-mpi.sh to
// stand beside `ridge allreduce --engine mpi --algorithm library`.
//
//   mpi_loop SAMPLES BYTES…      prints, for each size, bytes and the median of the samples in seconds
//
// As Ridge does it: f32, sum, out of place; the two arrays in one mapping with huge pages, the second 576 bytes into a page; a sample
// is what the slowest rank takes for as many repetitions as make 20 ms, behind a barrier; sizes by turns in every round.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { most_sizes = 64, most_samples = 64 };

struct size {
  long bytes;
  float *in, *out;
  long repetitions;
  double samples[most_samples];
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *mapped(size_t bytes) {
  const size_t huge = (size_t)2 << 20;
  char *const at = mmap(NULL, bytes + 2 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
  char *const aligned = (char *)(((size_t)at + huge - 1) / huge * huge);
  madvise(aligned, bytes + huge, MADV_HUGEPAGE);
  return aligned;
}

static void prepare(struct size *size, int rank) {
  const size_t bytes = (size_t)size->bytes;
  const size_t span = (bytes + 64 + 4095) / 4096 * 4096 + 4096;
  char *const all = mapped(2 * span);
  size->in = (float *)all;
  size->out = (float *)(all + span + 576);
  for (long i = 0; i < size->bytes / 4; ++i) {
    size->in[i] = (float)((i + rank) % 7);
    size->out[i] = -1;
  }
}

// Seconds that the slowest rank takes for all repetitions.
static double run(struct size *size, long repetitions) {
  const int count = (int)(size->bytes / 4);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = now();
  for (long i = 0; i < repetitions; ++i) MPI_Allreduce(size->in, size->out, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  double mine = now() - begin;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

// Grows them until an interval lasts 20 ms; every rank decides by the same time.
static long repetitions_of(struct size *size) {
  long repetitions = 1;
  for (;;) {
    const double seconds = run(size, repetitions);
    if (seconds >= 0.02) return repetitions;
    const double wanted = 1.2 * 0.02 / (seconds / (double)repetitions);
    repetitions = wanted < 10.0 * (double)repetitions ? (long)wanted + 1 : 10 * repetitions;
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  static struct size sizes[most_sizes];
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int samples = argc > 1 ? atoi(argv[1]) : 0;
  const int count = argc - 2;
  if (samples < 1 || samples > most_samples || count < 1 || count > most_sizes) {
    if (rank == 0) fprintf(stderr, "mpi_loop SAMPLES BYTES...: 1 to %d samples, 1 to %d sizes\n", most_samples, most_sizes);
    MPI_Finalize();
    return 2;
  }
  int wrong = 0;
  for (int s = 0; s < count; ++s) {
    sizes[s].bytes = atol(argv[s + 2]) / 4 * 4;
    prepare(&sizes[s], rank);
    run(&sizes[s], 1);
    for (long i = 0; i < sizes[s].bytes / 4; ++i) {
      float sum = 0;
      for (int r = 0; r < ranks; ++r) sum += (float)((i + r) % 7);
      wrong += sizes[s].out[i] != sum;
    }
    sizes[s].repetitions = repetitions_of(&sizes[s]);
  }
  for (int round = 0; round < samples; ++round)
    for (int s = 0; s < count; ++s)
      sizes[s].samples[round] = run(&sizes[s], sizes[s].repetitions) / (double)sizes[s].repetitions;
  for (int s = 0; s < count && rank == 0; ++s) {
    qsort(sizes[s].samples, (size_t)samples, sizeof(double), ascending);
    const double *const sorted = sizes[s].samples;
    printf("%s %.9g\n", argv[s + 2], (sorted[(samples - 1) / 2] + sorted[samples / 2]) / 2);
  }
  if (wrong != 0) fprintf(stderr, "mpi_loop: rank %d: %d elements are wrong\n", rank, wrong);
  MPI_Finalize();
  return wrong != 0;
}
