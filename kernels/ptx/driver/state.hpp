// The inside of the stand-in driver: GPUs with their memory, streams of waiting operations, events, graphs, modules.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/ptx/driver/reference.hpp"

namespace ridge::ptx {

// Ends a driver call with a status, and with a text that cuGetErrorString tells for it from then on.
struct Refusal {
  CUresult status;
  std::string text;
};

struct Gpu;
struct StandInStream;

struct StandInEvent {
  Gpu* gpu = nullptr;
  bool timed = true;
  StandInStream* stream = nullptr;  // of the last record; null: never recorded
  std::uint64_t ticket = 0;         // of that record within the stream
  bool done = false;
  double seconds = 0;
  CUgraph captured = nullptr;  // recorded while this graph was captured
};

struct StandInStream {
  Gpu* gpu = nullptr;
  bool blocking = true;  // waits for the default stream, and it for this
  std::deque<std::function<void()>> waiting;
  std::uint64_t queued = 0;  // operations ever queued
  std::uint64_t ran = 0;     // operations ever run
  CUgraph capturing = nullptr;
  bool capture_origin = false;
  bool unjoined = false;  // captured something that the origin has not waited for
};

struct StandInGraph {
  Gpu* gpu = nullptr;
  std::vector<std::function<void()>> operations;  // in an order that respects every dependency
};

struct StandInModule {
  Gpu* gpu = nullptr;
  std::unique_ptr<Instance> instance;
};

struct StandInFunction {
  StandInModule* module = nullptr;
  KernelInfo info;
  int dynamic_shared_limit = 0;
};

struct Pinned {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};
void free_pinned(std::byte* data);

// A GPU is its primary context too: Ridge uses no other.
struct Gpu {
  Gpu(std::int64_t memory_bytes, int gpu_index)
      : index(gpu_index), memory(static_cast<std::uint64_t>(memory_bytes), static_cast<unsigned>(gpu_index)) {
    default_stream.gpu = this;
  }
  Gpu(const Gpu&) = delete;  // the stream and every handle hold its address
  Gpu& operator=(const Gpu&) = delete;
  int index;
  Memory memory;
  int retained = 0;
  CUresult broken = CUDA_SUCCESS;  // sticky
  StandInStream default_stream;
  std::set<Gpu*> peers;
};

struct Reference::State {
  explicit State(const ReferenceSettings& s);
  ~State();

  ReferenceSettings settings;
  std::recursive_mutex mutex;
  bool started = false;  // cuInit was called
  std::vector<std::unique_ptr<Gpu>> gpus;
  std::map<std::thread::id, Gpu*> current;
  std::map<CUstream, std::unique_ptr<StandInStream>> streams;
  std::map<CUevent, std::unique_ptr<StandInEvent>> events;
  std::map<CUmodule, std::unique_ptr<StandInModule>> modules;
  std::map<CUfunction, std::unique_ptr<StandInFunction>> functions;
  std::map<CUgraph, std::unique_ptr<StandInGraph>> graphs;
  std::map<CUgraphExec, std::unique_ptr<StandInGraph>> executables;
  std::map<const std::byte*, Pinned> pinned;                // by address
  std::map<std::string, std::map<int, CUresult>> failures;  // call → countdown → status
  std::map<std::string, int> calls;
  std::map<CUresult, std::string> texts;
  std::vector<LaunchNote> launches;
  std::vector<CopyNote> copies;

  // Handles are the addresses of what they stand for; a handle that nobody was given is CUDA_ERROR_INVALID_HANDLE.
  template <class Handle, class T>
  static T& find(std::map<Handle, std::unique_ptr<T>>& all, Handle handle) {
    const auto found = all.find(handle);
    if (found == all.end()) throw Refusal{CUDA_ERROR_INVALID_HANDLE, "there is no such handle"};
    return *found->second;
  }
  template <class Handle, class T>
  static Handle add(std::map<Handle, std::unique_ptr<T>>& all, std::unique_ptr<T> object) {
    const auto handle = reinterpret_cast<Handle>(object.get());
    all[handle] = std::move(object);
    return handle;
  }

  Gpu& gpu(int index);
  Gpu& of(CUcontext context);
  // The calling thread's GPU, usable. A sticky error of it ends the call.
  Gpu& here();
  StandInStream& stream(CUstream handle, Gpu& gpu);
  [[nodiscard]] bool is_pinned(const void* data, std::size_t bytes) const;  // all of it, in one piece

  // Streams. An operation that goes wrong breaks its GPU: what waits there is dropped, as on a GPU.
  void enqueue(StandInStream& stream, std::function<void()> operation);
  void run(StandInStream& stream, std::uint64_t until);
  void run_all(StandInStream& stream) { run(stream, stream.queued); }
  void run_everything(Gpu& gpu);
  void run_blocking(Gpu& gpu);  // what the default stream waits for
  void break_gpu(Gpu& gpu, CUresult status, const std::string& text);
  void require_no_capture(const StandInStream& stream) const;

  // Wraps what a driver function does: one call at a time, failures on request, exceptions become a status.
  template <class F>
  auto entry(const char* name, F body) {
    return [this, call = std::string(name), body = std::move(body)](auto... arguments) -> CUresult {
      const std::lock_guard lock(mutex);
      try {
        before_call(call);
        return body(arguments...);
      } catch (...) {
        return status_of_exception();
      }
    };
  }
  void before_call(const std::string& call);
  CUresult status_of_exception();  // of the one being handled
  CUresult refuse(CUresult status, const std::string& text);
};

// The parts of the table, one file each.
void fill_device(device::cuda::Driver& table, Reference::State& state);
void fill_module(device::cuda::Driver& table, Reference::State& state);
void fill_memory(device::cuda::Driver& table, Reference::State& state);
void fill_copy(device::cuda::Driver& table, Reference::State& state);
void fill_stream(device::cuda::Driver& table, Reference::State& state);
void fill_event(device::cuda::Driver& table, Reference::State& state);
void fill_graph(device::cuda::Driver& table, Reference::State& state);

}  // namespace ridge::ptx
