// Calls of NCCL, each checked.
#include "kernels/nccl/world.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "kernels/nccl/table.hpp"

namespace ridge::nccl {
namespace {

// What a person sets to steer NCCL, and should find in the record.
constexpr const char* variables[] = {"NCCL_ALGO",          "NCCL_PROTO",       "NCCL_NVLS_ENABLE", "NCCL_P2P_DISABLE",
                                     "NCCL_P2P_LEVEL",     "NCCL_SHM_DISABLE", "NCCL_NTHREADS",    "NCCL_MIN_NCHANNELS",
                                     "NCCL_MAX_NCHANNELS", "NCCL_MIN_CTAS",    "NCCL_MAX_CTAS",    "NCCL_CUMEM_ENABLE"};

// ncclFloat8e4m3 and ncclFloat8e5m2, which headers have since that version; libraries of before refuse them.
constexpr auto type_e4m3 = static_cast<ncclDataType_t>(10);
constexpr auto type_e5m2 = static_cast<ncclDataType_t>(11);
constexpr int eight_bits_since = 22400;

ncclDataType_t type_of(reduce::Type type) {
  switch (type) {
    case reduce::Type::f64:
      return ncclFloat64;
    case reduce::Type::i32:
      return ncclInt32;
    case reduce::Type::f16:
      return ncclFloat16;
    case reduce::Type::bf16:
      return ncclBfloat16;
    case reduce::Type::e4m3:
      return type_e4m3;
    case reduce::Type::e5m2:
      return type_e5m2;
    case reduce::Type::f32:
      break;
  }
  return ncclFloat32;
}

ncclRedOp_t op_of(reduce::Op op) {
  return op == reduce::Op::max ? ncclMax : op == reduce::Op::min ? ncclMin : ncclSum;
}

}  // namespace

std::string lacking(const Table& table, Operation operation, reduce::Type type, int capability_major) {
  if (!reduce::is_eight_bit(type)) return {};
  int version = 0;
  if (table.GetVersion(&version) != ncclSuccess || version < eight_bits_since)
    return fmt::format("NCCL has eight-bit types from {} on; this is {}", version_text(eight_bits_since),
                       version_text(version));
  const bool joins =
      operation == Operation::allreduce || operation == Operation::reduce || operation == Operation::reducescatter;
  if (joins && capability_major < 9) return "NCCL joins eight-bit types from compute capability 9.0 on";
  return {};
}

struct World::Communicators {
  std::vector<ncclComm_t> of_rank;
};

World::World(std::shared_ptr<const Table> table, std::vector<device::cuda::Stream*> streams)
    : table_(std::move(table)),
      streams_(std::move(streams)),
      ranks_(static_cast<int>(streams_.size())),
      communicators_(std::make_unique<Communicators>()) {
  std::vector<int> devices;
  std::string names;
  for (const device::cuda::Stream* const stream : streams_) {
    devices.push_back(stream->context().device());
    names += (names.empty() ? "" : ", ") + stream->context().name().text();
  }
  communicators_->of_rank.resize(streams_.size());
  const auto status = table_->CommInitAll(communicators_->of_rank.data(), ranks(), devices.data());
  if (status != ncclSuccess) communicators_->of_rank.clear();
  require(status, "ncclCommInitAll on " + names);
}

World::World(std::shared_ptr<const Table> table, device::cuda::Stream& stream, int rank, int ranks, const Id& id)
    : table_(std::move(table)),
      streams_{&stream},
      first_(rank),
      ranks_(ranks),
      communicators_(std::make_unique<Communicators>()) {
  stream.context().make_current();
  ncclUniqueId name;
  std::memcpy(name.internal, id.data(), id.size());
  ncclComm_t mine = nullptr;
  require(table_->CommInitRank(&mine, ranks, name, rank),
          fmt::format("ncclCommInitRank of rank {} of {} on {}", rank, ranks, stream.context().name().text()));
  communicators_->of_rank.push_back(mine);
}

Id new_id(const Table& table) {
  ncclUniqueId name;
  const auto status = table.GetUniqueId(&name);
  if (status != ncclSuccess)
    throw device::Error(
        fmt::format("ncclGetUniqueId: {} ({})", table.GetErrorString(status), static_cast<int>(status)));
  Id id;
  static_assert(sizeof name.internal == sizeof id);
  std::memcpy(id.data(), name.internal, id.size());
  return id;
}

World::~World() {
  for (ncclComm_t const each : communicators_->of_rank) broken_ ? table_->CommAbort(each) : table_->CommDestroy(each);
}

void World::require(int status, const std::string& what) {
  if (status == ncclSuccess) return;
  broken_ = true;
  const char* const more = table_->GetLastError(nullptr);
  throw device::Error(fmt::format("{}: {} ({}){}{}", what, table_->GetErrorString(static_cast<ncclResult_t>(status)),
                                  status, more != nullptr && *more != '\0' ? ": " : "", more != nullptr ? more : ""));
}

void World::queue_rank(const Task& task, std::size_t at, const Arrays& arrays) {
  const int rank = first_ + static_cast<int>(at);
  ncclComm_t const communicator = communicators_->of_rank[at];
  const auto stream = reinterpret_cast<cudaStream_t>(streams_[at]->handle());
  const ncclDataType_t type = type_of(task.rule.type);
  const ncclRedOp_t op = op_of(task.rule.op);
  const auto count = static_cast<std::size_t>(task.count);
  const std::size_t block = count / static_cast<std::size_t>(ranks_);
  const auto named = [&](const char* call) {
    return fmt::format("{} of rank {} on {}", call, rank, streams_[at]->context().name().text());
  };
  const auto send = [&](const void* data, std::size_t elements, int to) {
    require(table_->Send(data, elements, type, to, communicator, stream), named("ncclSend"));
  };
  const auto receive = [&](void* data, std::size_t elements, int from) {
    require(table_->Recv(data, elements, type, from, communicator, stream), named("ncclRecv"));
  };
  switch (task.operation) {
    case Operation::allreduce:
      return require(table_->AllReduce(arrays.in, arrays.out, count, type, op, communicator, stream),
                     named("ncclAllReduce"));
    case Operation::reduce:
      return require(table_->Reduce(arrays.in, arrays.out, count, type, op, 0, communicator, stream),
                     named("ncclReduce"));
    case Operation::broadcast:
      return require(table_->Broadcast(arrays.in, arrays.out, count, type, 0, communicator, stream),
                     named("ncclBroadcast"));
    case Operation::allgather:
      return require(table_->AllGather(arrays.in, arrays.out, block, type, communicator, stream),
                     named("ncclAllGather"));
    case Operation::reducescatter:
      return require(table_->ReduceScatter(arrays.in, arrays.out, block, type, op, communicator, stream),
                     named("ncclReduceScatter"));
    case Operation::alltoall: {
      const std::size_t bytes = block * static_cast<std::size_t>(reduce::bytes_of(task.rule.type));
      for (int peer = 0; peer < ranks(); ++peer) {
        const std::size_t offset = static_cast<std::size_t>(peer) * bytes;
        send(static_cast<const char*>(arrays.in) + offset, block, peer);
        receive(static_cast<char*>(arrays.out) + offset, block, peer);
      }
      return;
    }
    case Operation::sendrecv:
      send(arrays.in, count, (rank + 1) % ranks());
      receive(arrays.out, count, (rank + ranks() - 1) % ranks());
  }
}

void World::queue(const Task& task, std::span<const Arrays> arrays) {
  require(table_->GroupStart(), "ncclGroupStart");
  std::exception_ptr error;
  try {
    for (std::size_t at = 0; at < streams_.size(); ++at) queue_rank(task, at, arrays[at]);
  } catch (...) {
    error = std::current_exception();  // the group is ended first, or the thread's later calls would join it
  }
  const auto status = table_->GroupEnd();
  if (error) std::rethrow_exception(error);
  require(status, "ncclGroupEnd");
}

void World::check() {
  for (std::size_t at = 0; at < streams_.size(); ++at) {
    ncclResult_t met = ncclSuccess;
    const std::string of =
        fmt::format(" of rank {} on {}", first_ + static_cast<int>(at), streams_[at]->context().name().text());
    require(table_->CommGetAsyncError(communicators_->of_rank[at], &met), "ncclCommGetAsyncError" + of);
    require(met, "the communicator" + of);
  }
}

std::map<std::string, std::string> World::implementation() const {
  std::map<std::string, std::string> all{{"library", table_->source}};
  std::string set;
  for (const char* name : variables)
    if (const char* const value = std::getenv(name))  // NOLINT(concurrency-mt-unsafe): nothing here writes it
      set += fmt::format("{}{}={}", set.empty() ? "" : ", ", name, value);
  if (!set.empty()) all["environment"] = set.substr(0, 200);
  return all;
}

}  // namespace ridge::nccl
