// What the stand-in for NCCL keeps: worlds, their members, and the groups of calls that threads have begun.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kernels/ptx/nccl/join.hpp"
#include "kernels/ptx/nccl/stand_in.hpp"

namespace ridge::ptx {
namespace nccl_parts {

struct World;

struct Member {
  std::shared_ptr<World> world;
  int rank = 0;
};

struct Pending {
  Member* member = nullptr;
  NcclCall call;
};

struct World {
  std::vector<int> gpus;  // of each rank; -1 where it has not come yet
  bool apart = false;     // each rank is a thread of its own
  // Of one turn of the threads: their calls, and how it ended.
  std::vector<Pending> waiting;
  std::size_t came = 0;
  std::uint64_t turn = 0;
  ncclResult_t result = ncclSuccess;
};

}  // namespace nccl_parts

struct Nccl::State {
  using Member = nccl_parts::Member;
  using Pending = nccl_parts::Pending;
  using World = nccl_parts::World;

  explicit State(const device::cuda::Driver& table) : driver(table) {}

  device::cuda::Driver driver;  // a copy, which keeps the reference GPUs
  std::recursive_mutex mutex;
  std::map<std::string, std::map<int, ncclResult_t>> failures;  // call → which → status
  std::map<std::string, int> calls;
  std::map<ncclComm_t, std::unique_ptr<Member>> members;
  ncclResult_t met = ncclSuccess;
  struct Group {
    int depth = 0;
    std::vector<Pending> pending;
  };
  std::map<std::thread::id, Group> groups;
  std::condition_variable_any turned;
  std::map<std::string, std::shared_ptr<World>> apart;  // by id
  int ids = 0;
  std::map<std::thread::id, std::string> last_errors;  // each thread reads its own while others fail

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
    last_errors[std::this_thread::get_id()] = why;
    return status;
  }

  Group& group() { return groups[std::this_thread::get_id()]; }

  // Lets the other threads in until it is so. False after ten seconds.
  template <class Done>
  bool wait_for(const Done& done) {
    std::unique_lock<std::recursive_mutex> lock(mutex, std::adopt_lock);
    const bool in_time = turned.wait_for(lock, std::chrono::seconds(10), done);
    lock.release();
    return in_time;
  }

  ncclResult_t make_all(ncclComm_t* out, int count, const int* devices);
  ncclResult_t make_rank(ncclComm_t* out, int count, const ncclUniqueId& id, int rank);
  ncclResult_t take_turn(World& world, std::vector<Pending> mine);
  ncclResult_t take(ncclComm_t communicator, const NcclCall& call);
  ncclResult_t end_group();
  ncclResult_t run_pending();
  ncclResult_t run_world(const World& world, const std::vector<Pending>& all);
  ncclResult_t run_messages(const World& world, std::map<std::pair<int, int>, std::deque<NcclCall>>& sent,
                            std::map<std::pair<int, int>, std::deque<NcclCall>>& received);
  void fill_world(nccl::Table& table);
  void fill_calls(nccl::Table& table);
};

}  // namespace ridge::ptx
