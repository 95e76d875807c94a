// Making worlds, and running what their ranks have called once all have.
#include <algorithm>
#include <iterator>

#include "kernels/ptx/nccl/state.hpp"

namespace ridge::ptx {

ncclResult_t Nccl::State::make_all(ncclComm_t* out, int count, const int* devices) {
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

ncclResult_t Nccl::State::make_rank(ncclComm_t* out, int count, const ncclUniqueId& id, int rank) {
  if (out == nullptr || count < 1 || rank < 0 || rank >= count)
    return refuse(ncclInvalidArgument, "there is no rank " + std::to_string(rank) + " of " + std::to_string(count));
  const int gpu = current_gpu(driver);
  if (gpu < 0) return refuse(ncclUnhandledCudaError, "no context is current to this thread");
  auto& world = apart[std::string(id.internal, sizeof id.internal)];
  if (!world) {
    world = std::make_shared<World>();
    world->apart = true;
    world->gpus.assign(static_cast<std::size_t>(count), -1);
  }
  if (world->gpus.size() != static_cast<std::size_t>(count) || world->gpus[static_cast<std::size_t>(rank)] >= 0)
    return refuse(ncclInvalidUsage, "rank " + std::to_string(rank) + " is there already, or the ranks do not agree");
  if (std::count(world->gpus.begin(), world->gpus.end(), gpu) > 0)
    return refuse(ncclInvalidUsage, "two ranks on device " + std::to_string(gpu));
  world->gpus[static_cast<std::size_t>(rank)] = gpu;
  turned.notify_all();
  const auto mine = world;
  if (!wait_for([&] { return std::count(mine->gpus.begin(), mine->gpus.end(), -1) == 0; }))
    return refuse(ncclSystemError, "not all ranks have come");
  auto member = std::make_unique<Member>(Member{mine, rank});
  *out = reinterpret_cast<ncclComm_t>(member.get());
  members[*out] = std::move(member);
  return ncclSuccess;
}

// The last rank of a turn does the work of all.
ncclResult_t Nccl::State::take_turn(World& world, std::vector<Pending> mine) {
  std::move(mine.begin(), mine.end(), std::back_inserter(world.waiting));
  const std::uint64_t turn = world.turn;
  if (++world.came == world.gpus.size()) {
    std::vector<Pending> all;
    all.swap(world.waiting);
    world.result = run_world(world, all);
    world.came = 0;
    ++world.turn;
    turned.notify_all();
    return world.result;
  }
  if (!wait_for([&] { return world.turn != turn; })) return refuse(ncclInvalidUsage, "a rank never calls: a hang");
  return world.result;
}

// Alone it is a group of its own.
ncclResult_t Nccl::State::take(ncclComm_t communicator, const NcclCall& call) {
  const auto found = members.find(communicator);
  if (found == members.end()) return refuse(ncclInvalidArgument, "there is no such communicator");
  const Member& member = *found->second;
  const auto ranks = static_cast<int>(member.world->gpus.size());
  if (bytes_of(call.type) == 0 || call.op > ncclMin || call.op == ncclProd)
    return refuse(ncclInvalidArgument, "a type or an operation that the stand-in does not model");
  if (call.peer < 0 || call.peer >= ranks)
    return refuse(ncclInvalidArgument, "there is no rank " + std::to_string(call.peer));
  group().pending.push_back({found->second.get(), call});
  return group().depth > 0 ? ncclSuccess : run_pending();
}

ncclResult_t Nccl::State::end_group() {
  if (group().depth == 0) return refuse(ncclInvalidUsage, "no group was begun");
  return --group().depth > 0 ? ncclSuccess : run_pending();
}

ncclResult_t Nccl::State::run_pending() {
  std::vector<Pending> all;
  all.swap(group().pending);
  std::vector<World*> worlds;
  for (const Pending& each : all)
    if (std::find(worlds.begin(), worlds.end(), each.member->world.get()) == worlds.end())
      worlds.push_back(each.member->world.get());
  for (World* world : worlds)
    if (const auto status = world->apart ? take_turn(*world, all) : run_world(*world, all); status != ncclSuccess)
      return status;
  return ncclSuccess;
}

// Messages and operations of all are told apart; each kind is matched in the order of the calls.
ncclResult_t Nccl::State::run_world(const World& world, const std::vector<Pending>& all) {
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

ncclResult_t Nccl::State::run_messages(const World& world, std::map<std::pair<int, int>, std::deque<NcclCall>>& sent,
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

}  // namespace ridge::ptx
