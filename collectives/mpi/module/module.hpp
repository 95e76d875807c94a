// What a module offers: MPI's calls behind plain types, so that nothing else knows which MPI it is.
#pragma once

#include <cstdint>

extern "C" {

// As the enumerators of reduce::Type and reduce::Op are numbered. Each call returns nullptr when it went well, else
// what MPI says of the failure, which stands until the thread's next call. All are made by the thread that called init.
struct RidgeMpi {
  std::int32_t version;
  const char* (*library)();
  const char* (*init)();
  const char* (*finalize)();
  const char* (*rank)(std::int32_t* rank, std::int32_t* size);
  const char* (*barrier)();
  const char* (*broadcast)(void* data, std::int64_t count, std::int32_t type);
  // `bytes` of each rank, to rank 0's `all`.
  const char* (*gather)(const void* mine, std::int64_t bytes, void* all);
  // A negative rank is nobody.
  const char* (*exchange)(std::int32_t to, const void* sent, std::int64_t sent_count, std::int32_t from, void* received,
                          std::int64_t received_count, std::int32_t type);
  // `in` equal to `out` (or, where one is a block of the other, to its place in it): in place.
  const char* (*all_reduce)(const void* in, void* out, std::int64_t count, std::int32_t type, std::int32_t op);
  const char* (*reduce)(const void* in, void* out, std::int64_t count, std::int32_t type, std::int32_t op);
  const char* (*reduce_scatter)(const void* in, void* out, std::int64_t block, std::int32_t type, std::int32_t op);
  const char* (*all_gather)(const void* in, void* out, std::int64_t block, std::int32_t type);
  const char* (*all_to_all)(const void* in, void* out, std::int64_t block, std::int32_t type);
};

// The one symbol of a module.
const RidgeMpi* ridge_mpi();
}

inline constexpr std::int32_t ridge_mpi_version = 1;
