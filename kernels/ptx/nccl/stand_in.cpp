// The table of functions over communicators that are kept here, and groups of calls.
#include "kernels/ptx/nccl/stand_in.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "kernels/ptx/nccl/join.hpp"

namespace ridge::ptx {
namespace {

struct World {
  std::vector<int> gpus;  // of each rank
};

struct Member {
  std::shared_ptr<World> world;
  int rank = 0;
};

struct Pending {
  Member* member = nullptr;
  NcclCall call;
};

const char* error_text(ncclResult_t status) {
  switch (status) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error";
    case ncclSystemError:
      return "unhandled system error";
    case ncclInternalError:
      return "internal error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    default:
      return "unknown result code";
  }
}

}  // namespace

struct Nccl::State {
  explicit State(const device::cuda::Driver& table) : driver(table) {}

  device::cuda::Driver driver;  // a copy, which keeps the reference GPUs
  std::recursive_mutex mutex;
  std::map<std::string, std::map<int, ncclResult_t>> failures;  // call → which → status
  std::map<std::string, int> calls;
  std::map<ncclComm_t, std::unique_ptr<Member>> members;
  ncclResult_t met = ncclSuccess;
  int depth = 0;  // of groups
  std::vector<Pending> pending;
  std::string last_error;

  // One call at a time; failures on request.
  template <class F>
  auto entry(const char* name, F body) {
    return [this, call = std::string(name), body = std::move(body)](auto... arguments) -> ncclResult_t {
      const std::lock_guard lock(mutex);
      const int nth = ++calls[call];
      if (const auto planned = failures.find(call); planned != failures.end())
        if (const auto now = planned->second.find(nth); now != planned->second.end())
          return refuse(now->second, call + " was told to fail");
      return body(arguments...);
    };
  }

  ncclResult_t refuse(ncclResult_t status, const std::string& why) {
    last_error = why;
    return status;
  }

  ncclResult_t make_all(ncclComm_t* out, int count, const int* devices) {
    int gpus = 0;
    driver.cuDeviceGetCount(&gpus);
    if (out == nullptr || count < 1) return refuse(ncclInvalidArgument, "a world has at least one rank");
    auto world = std::make_shared<World>();
    for (int rank = 0; rank < count; ++rank) {
      const int gpu = devices == nullptr ? rank : devices[rank];
      if (gpu < 0 || gpu >= gpus) return refuse(ncclInvalidArgument, "there is no device " + std::to_string(gpu));
      if (std::count(world->gpus.begin(), world->gpus.end(), gpu) > 0)
        return refuse(ncclInvalidUsage, "two ranks on device " + std::to_string(gpu));
      world->gpus.push_back(gpu);
    }
    for (int rank = 0; rank < count; ++rank) {
      auto member = std::make_unique<Member>(Member{world, rank});
      out[rank] = reinterpret_cast<ncclComm_t>(member.get());
      members[out[rank]] = std::move(member);
    }
    return ncclSuccess;
  }

  // Alone it is a group of its own.
  ncclResult_t take(ncclComm_t communicator, const NcclCall& call) {
    const auto found = members.find(communicator);
    if (found == members.end()) return refuse(ncclInvalidArgument, "there is no such communicator");
    const Member& member = *found->second;
    const auto ranks = static_cast<int>(member.world->gpus.size());
    if (bytes_of(call.type) == 0 || call.op > ncclMin || call.op == ncclProd)
      return refuse(ncclInvalidArgument, "a type or an operation that the stand-in does not model");
    if (call.peer < 0 || call.peer >= ranks)
      return refuse(ncclInvalidArgument, "there is no rank " + std::to_string(call.peer));
    pending.push_back({found->second.get(), call});
    return depth > 0 ? ncclSuccess : run_pending();
  }

  ncclResult_t end_group() {
    if (depth == 0) return refuse(ncclInvalidUsage, "no group was begun");
    return --depth > 0 ? ncclSuccess : run_pending();
  }

  ncclResult_t run_pending() {
    std::vector<Pending> all;
    all.swap(pending);
    std::vector<World*> worlds;
    for (const Pending& each : all)
      if (std::find(worlds.begin(), worlds.end(), each.member->world.get()) == worlds.end())
        worlds.push_back(each.member->world.get());
    for (World* world : worlds)
      if (const auto status = run_world(*world, all); status != ncclSuccess) return status;
    return ncclSuccess;
  }

  // Messages and operations of all are told apart; each kind is matched in the order of the calls.
  ncclResult_t run_world(const World& world, const std::vector<Pending>& all) {
    const std::size_t ranks = world.gpus.size();
    std::vector<std::deque<NcclCall>> of_all(ranks);
    std::map<std::pair<int, int>, std::deque<NcclCall>> sent, received;  // by (from, to)
    for (const Pending& each : all) {
      if (each.member->world.get() != &world) continue;
      const int rank = each.member->rank;
      if (each.call.kind == Kind::send)
        sent[{rank, each.call.peer}].push_back(each.call);
      else if (each.call.kind == Kind::receive)
        received[{each.call.peer, rank}].push_back(each.call);
      else
        of_all[static_cast<std::size_t>(rank)].push_back(each.call);
    }
    while (!of_all.front().empty()) {
      std::vector<NcclCall> together;
      for (std::size_t r = 0; r < ranks; ++r) {
        if (of_all[r].empty()) return refuse(ncclInvalidUsage, "rank " + std::to_string(r) + " never calls: a hang");
        together.push_back(of_all[r].front());
        of_all[r].pop_front();
      }
      if (const std::string why = mismatch(together); !why.empty()) return refuse(ncclInvalidUsage, why);
      std::vector<Place> places;
      for (std::size_t r = 0; r < ranks; ++r) places.push_back({world.gpus[r], together[r].stream});
      const auto work = [together](std::span<Memory* const> memories) { return join(together, memories); };
      if (queue_joint_work(driver, places, "NCCL (stand-in)", work) != CUDA_SUCCESS)
        return refuse(ncclUnhandledCudaError, "a stream that is no stream of its device");
    }
    for (std::size_t r = 1; r < ranks; ++r)
      if (!of_all[r].empty()) return refuse(ncclInvalidUsage, "rank 0 never calls: a hang");
    return run_messages(world, sent, received);
  }

  ncclResult_t run_messages(const World& world, std::map<std::pair<int, int>, std::deque<NcclCall>>& sent,
                            std::map<std::pair<int, int>, std::deque<NcclCall>>& received) {
    for (auto& [way, sends] : sent)
      for (const NcclCall& send : sends) {
        auto& receives = received[way];
        if (receives.empty() || receives.front().count != send.count || receives.front().type != send.type)
          return refuse(ncclInvalidUsage, "rank " + std::to_string(way.second) + " does not receive what rank " +
                                              std::to_string(way.first) + " sends: a hang");
        const NcclCall receive = receives.front();
        receives.pop_front();
        const std::vector<Place> places{{world.gpus[static_cast<std::size_t>(way.first)], send.stream},
                                        {world.gpus[static_cast<std::size_t>(way.second)], receive.stream}};
        const auto work = [send, receive](std::span<Memory* const> both) { return pass(send, receive, both); };
        if (queue_joint_work(driver, places, "NCCL (stand-in)", work) != CUDA_SUCCESS)
          return refuse(ncclUnhandledCudaError, "a stream that is no stream of its device");
      }
    for (const auto& [way, receives] : received)
      if (!receives.empty())
        return refuse(ncclInvalidUsage, "rank " + std::to_string(way.first) + " does not send what rank " +
                                            std::to_string(way.second) + " receives: a hang");
    return ncclSuccess;
  }

  void fill_world(nccl::Table& table);
  void fill_calls(nccl::Table& table);
};

void Nccl::State::fill_world(nccl::Table& table) {
  table.CommInitAll = entry("ncclCommInitAll", [this](ncclComm_t* out, int count, const int* devices) {
    return make_all(out, count, devices);
  });
  const auto end = [this](ncclComm_t communicator) {
    return members.erase(communicator) == 1 ? ncclSuccess
                                            : refuse(ncclInvalidArgument, "there is no such communicator");
  };
  table.CommDestroy = entry("ncclCommDestroy", end);
  table.CommAbort = entry("ncclCommAbort", end);
  table.CommGetAsyncError = entry("ncclCommGetAsyncError", [this](ncclComm_t, ncclResult_t* out) {
    *out = met;
    return ncclSuccess;
  });
  table.GroupStart = entry("ncclGroupStart", [this] {
    ++depth;
    return ncclSuccess;
  });
  table.GroupEnd = entry("ncclGroupEnd", [this] { return end_group(); });
}

void Nccl::State::fill_calls(nccl::Table& table) {
  const auto on = [](cudaStream_t stream) { return reinterpret_cast<CUstream>(stream); };
  table.AllReduce = entry("ncclAllReduce", [=, this](const void* in, void* out, std::size_t count, ncclDataType_t type,
                                                     ncclRedOp_t op, ncclComm_t communicator, cudaStream_t stream) {
    return take(communicator, {Kind::allreduce, in, out, count, type, op, 0, on(stream)});
  });
  table.Reduce = entry("ncclReduce", [=, this](const void* in, void* out, std::size_t count, ncclDataType_t type,
                                               ncclRedOp_t op, int root, ncclComm_t communicator, cudaStream_t stream) {
    return take(communicator, {Kind::reduce, in, out, count, type, op, root, on(stream)});
  });
  table.Broadcast = entry("ncclBroadcast", [=, this](const void* in, void* out, std::size_t count, ncclDataType_t type,
                                                     int root, ncclComm_t communicator, cudaStream_t stream) {
    return take(communicator, {Kind::broadcast, in, out, count, type, ncclSum, root, on(stream)});
  });
  table.AllGather = entry("ncclAllGather", [=, this](const void* in, void* out, std::size_t count, ncclDataType_t type,
                                                     ncclComm_t communicator, cudaStream_t stream) {
    return take(communicator, {Kind::allgather, in, out, count, type, ncclSum, 0, on(stream)});
  });
  table.ReduceScatter =
      entry("ncclReduceScatter", [=, this](const void* in, void* out, std::size_t count, ncclDataType_t type,
                                           ncclRedOp_t op, ncclComm_t communicator, cudaStream_t stream) {
        return take(communicator, {Kind::reducescatter, in, out, count, type, op, 0, on(stream)});
      });
  table.Send = entry("ncclSend", [=, this](const void* in, std::size_t count, ncclDataType_t type, int peer,
                                           ncclComm_t communicator, cudaStream_t stream) {
    return take(communicator, {Kind::send, in, nullptr, count, type, ncclSum, peer, on(stream)});
  });
  table.Recv = entry("ncclRecv", [=, this](void* out, std::size_t count, ncclDataType_t type, int peer,
                                           ncclComm_t communicator, cudaStream_t stream) {
    return take(communicator, {Kind::receive, nullptr, out, count, type, ncclSum, peer, on(stream)});
  });
}

Nccl::Nccl(const device::cuda::Driver& driver) : state_(std::make_shared<State>(driver)) {}

std::shared_ptr<const nccl::Table> Nccl::table() const {
  struct Kept {
    std::shared_ptr<State> state;
    nccl::Table table;
  };
  const auto kept = std::make_shared<Kept>();
  kept->state = state_;
  kept->table.source = "the stand-in for NCCL";
  kept->table.GetVersion = [](int* out) {
    *out = NCCL_VERSION_CODE;
    return ncclSuccess;
  };
  kept->table.GetErrorString = error_text;
  kept->table.GetLastError = [state = state_](ncclComm_t) { return state->last_error.c_str(); };
  state_->fill_world(kept->table);
  state_->fill_calls(kept->table);
  return {kept, &kept->table};
}

void Nccl::fail(const std::string& call, int nth, ncclResult_t status) {
  const std::lock_guard lock(state_->mutex);
  state_->failures[call][state_->calls[call] + nth] = status;
}

void Nccl::meet(ncclResult_t status) {
  const std::lock_guard lock(state_->mutex);
  state_->met = status;
}

std::map<std::string, int> Nccl::calls() const {
  const std::lock_guard lock(state_->mutex);
  return state_->calls;
}

std::string Nccl::left() const {
  const std::lock_guard lock(state_->mutex);
  return state_->members.empty() ? "" : std::to_string(state_->members.size()) + " communicators";
}

}  // namespace ridge::ptx
