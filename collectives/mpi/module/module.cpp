// MPI's calls behind plain types: compiled once against each MPI's header, and linked to none.
#include "collectives/mpi/module/module.hpp"

#include <mpi.h>

#include <climits>
#include <cstddef>

namespace {

const char* text_of(int error) {
  static thread_local char text[MPI_MAX_ERROR_STRING];
  if (error == MPI_SUCCESS) return nullptr;
  int length = 0;
  if (MPI_Error_string(error, text, &length) != MPI_SUCCESS || length == 0) return "an MPI error without a text";
  return text;
}

// f32, f64, int32, f16, bf16; the last two, which MPI does not know, are moved as they are.
MPI_Datatype type_of(std::int32_t type) {
  switch (type) {
    case 0:
      return MPI_FLOAT;
    case 1:
      return MPI_DOUBLE;
    case 2:
      return MPI_INT32_T;
    default:
      return MPI_UINT16_T;
  }
}

MPI_Op op_of(std::int32_t op) {
  return op == 0 ? MPI_SUM : op == 1 ? MPI_MAX : MPI_MIN;
}

constexpr const char* too_many = "more than 2^31 - 1 elements in one MPI call";
bool fits(std::int64_t count) {
  return count <= INT_MAX;
}

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// Not MPI_Init_thread: one thread alone makes the calls, as in most programs, and what Open MPI does for others to be
// there (MPI_THREAD_FUNNELED) takes a quarter of a microsecond for each operation.
const char* init() {
  const int error = MPI_Init(nullptr, nullptr);
  if (error != MPI_SUCCESS) return text_of(error);
  return text_of(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
}

const char* library() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  return MPI_Get_library_version(text, &length) == MPI_SUCCESS ? text : "";
}

const char* rank(std::int32_t* rank, std::int32_t* size) {
  const int error = MPI_Comm_rank(MPI_COMM_WORLD, rank);
  return error != MPI_SUCCESS ? text_of(error) : text_of(MPI_Comm_size(MPI_COMM_WORLD, size));
}

const char* broadcast(void* data, std::int64_t count, std::int32_t type) {
  if (!fits(count)) return too_many;
  return text_of(MPI_Bcast(data, static_cast<int>(count), type_of(type), 0, MPI_COMM_WORLD));
}

const char* gather(const void* mine, std::int64_t bytes, void* all) {
  const int count = static_cast<int>(bytes);
  return text_of(MPI_Gather(mine, count, MPI_BYTE, all, count, MPI_BYTE, 0, MPI_COMM_WORLD));
}

const char* exchange(std::int32_t to, const void* sent, std::int64_t sent_count, std::int32_t from, void* received,
                     std::int64_t received_count, std::int32_t type) {
  if (!fits(sent_count) || !fits(received_count)) return too_many;
  const int target = to < 0 ? MPI_PROC_NULL : to;
  const int source = from < 0 ? MPI_PROC_NULL : from;
  return text_of(MPI_Sendrecv(sent, static_cast<int>(sent_count), type_of(type), target, 0, received,
                              static_cast<int>(received_count), type_of(type), source, 0, MPI_COMM_WORLD,
                              MPI_STATUS_IGNORE));
}

const char* all_reduce(const void* in, void* out, std::int64_t count, std::int32_t type, std::int32_t op) {
  if (!fits(count)) return too_many;
  return text_of(MPI_Allreduce(in == out ? MPI_IN_PLACE : in, out, static_cast<int>(count), type_of(type), op_of(op),
                               MPI_COMM_WORLD));
}

const char* reduce(const void* in, void* out, std::int64_t count, std::int32_t type, std::int32_t op) {
  if (!fits(count)) return too_many;
  const bool in_place = in == out && rank_of_world() == 0;
  return text_of(MPI_Reduce(in_place ? MPI_IN_PLACE : in, out, static_cast<int>(count), type_of(type), op_of(op), 0,
                            MPI_COMM_WORLD));
}

const char* reduce_scatter(const void* in, void* out, std::int64_t block, std::int32_t type, std::int32_t op) {
  if (!fits(block)) return too_many;
  return text_of(MPI_Reduce_scatter_block(in, out, static_cast<int>(block), type_of(type), op_of(op), MPI_COMM_WORLD));
}

std::ptrdiff_t bytes_of(std::int32_t type) {
  return type == 1 ? 8 : type <= 2 ? 4 : 2;
}

const char* all_gather(const void* in, void* out, std::int64_t block, std::int32_t type) {
  if (!fits(block)) return too_many;
  const bool in_place = in == static_cast<const char*>(out) + rank_of_world() * block * bytes_of(type);
  const int count = static_cast<int>(block);
  return text_of(
      MPI_Allgather(in_place ? MPI_IN_PLACE : in, count, type_of(type), out, count, type_of(type), MPI_COMM_WORLD));
}

const char* all_to_all(const void* in, void* out, std::int64_t block, std::int32_t type) {
  if (!fits(block)) return too_many;
  const int count = static_cast<int>(block);
  return text_of(MPI_Alltoall(in, count, type_of(type), out, count, type_of(type), MPI_COMM_WORLD));
}

const char* barrier() {
  return text_of(MPI_Barrier(MPI_COMM_WORLD));
}
const char* finalize() {
  return text_of(MPI_Finalize());
}

}  // namespace

const RidgeMpi* ridge_mpi() {
  static const RidgeMpi table{ridge_mpi_version, library,   init,     finalize,   rank,   barrier,
                              broadcast,         gather,    exchange, all_reduce, reduce, reduce_scatter,
                              all_gather,        all_to_all};
  return &table;
}
