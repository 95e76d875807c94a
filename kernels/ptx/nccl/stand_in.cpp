// The table of functions over communicators that are kept here, and groups of calls.
#include "kernels/ptx/nccl/stand_in.hpp"

#include <cstring>

#include "kernels/ptx/nccl/state.hpp"

namespace ridge::ptx {
namespace {

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

void Nccl::State::fill_world(nccl::Table& table) {
  table.CommInitAll = entry("ncclCommInitAll", [this](ncclComm_t* out, int count, const int* devices) {
    return make_all(out, count, devices);
  });
  table.GetUniqueId = entry("ncclGetUniqueId", [this](ncclUniqueId* out) {
    std::memset(out->internal, 0, sizeof out->internal);
    const std::string text = "stand-in " + std::to_string(++ids);
    std::memcpy(out->internal, text.data(), text.size());
    return ncclSuccess;
  });
  table.CommInitRank = entry("ncclCommInitRank", [this](ncclComm_t* out, int count, ncclUniqueId id, int rank) {
    return make_rank(out, count, id, rank);
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
    ++group().depth;
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
  kept->table.GetLastError = [state = state_](ncclComm_t) {
    const std::lock_guard lock(state->mutex);
    return state->last_errors[std::this_thread::get_id()].c_str();
  };
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
