// Checks of a launch, its workers, and adding up what they counted.
#include "kernels/ptx/engine/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#include "kernels/ptx/engine/schedule.hpp"
#include "kernels/ptx/lanes/handlers.hpp"

namespace ridge::ptx {
namespace {

constexpr std::uint64_t default_step_limit = 1'000'000'000'000;
constexpr std::uint32_t most_shared = 232448;  // 227 KiB, the most any block can have
constexpr std::uint32_t workspace_bytes = 64;

void check_shape(const Kernel& k, const Dim3& grid, const Dim3& block, std::uint64_t shared) {
  const std::uint64_t threads = block.count();
  if (block.x == 0 || block.y == 0 || block.z == 0 || threads > 1024 || block.x > 1024 || block.y > 1024 ||
      block.z > 64) {
    throw std::invalid_argument(fmt::format("kernel {}: block of {}x{}x{} threads", k.name, block.x, block.y, block.z));
  }
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) {
    throw std::invalid_argument(fmt::format("kernel {}: grid of {}x{}x{} blocks", k.name, grid.x, grid.y, grid.z));
  }
  if (k.max_threads && threads > k.max_threads) {
    throw std::invalid_argument(
        fmt::format("kernel {}: {} threads, at most {} allowed", k.name, threads, k.max_threads));
  }
  if (k.required[0] && (k.required[0] != block.x || k.required[1] != block.y || k.required[2] != block.z)) {
    throw std::invalid_argument("kernel " + k.name + ": block differs from .reqntid");
  }
  if (shared > most_shared)
    throw std::invalid_argument(fmt::format("kernel {}: {} bytes of shared memory", k.name, shared));
}

std::vector<u64> block_order(const LaunchOptions& options, u64 blocks) {
  if (options.order == Order::forward) return {};
  std::vector<u64> order(blocks);
  std::iota(order.begin(), order.end(), u64{0});
  if (options.order == Order::reverse) std::reverse(order.begin(), order.end());
  std::mt19937_64 random(options.seed);
  if (options.order == Order::random) std::shuffle(order.begin(), order.end(), random);
  return order;
}

void add_profile(Counts& out, const Kernel& k, const std::vector<Profile>& profile) {
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Op& op = k.code[i];
    const Site& site = k.sites[op.site];
    const Profile& p = profile[i];
    if (!site.counted || p.warps == 0) continue;
    out.instructions.warps += p.warps;
    out.instructions.lanes += p.lanes;
    InstructionCount& of = out.of(site.kind);
    of.warps += p.warps;
    of.lanes += p.lanes;
    out.flops[static_cast<std::size_t>(site.flop_type)] += p.lanes * site.flops;
    out.tensor_flops[static_cast<std::size_t>(site.flop_type)] += p.warps * site.tensor_flops;
    out.integer_operations += p.lanes * site.integer_operations;
    if (op.flow == Flow::branch || op.flow == Flow::branch_table) out.branches += p.warps;
    if (op.flow == Flow::barrier) out.barriers += p.warps;
  }
  out.special_operations = out.of(InstructionClass::special).lanes;
  out.conversions = out.of(InstructionClass::conversion).lanes;
  out.atomics = out.of(InstructionClass::atomic).lanes;
}

void add_unique_bytes(Counts& out, const std::vector<Worker>& workers) {
  std::unordered_map<u64, Touched> all;
  for (const Worker& w : workers) {
    for (const auto& [address, t] : w.touched) {
      Touched& sum = all[address];
      sum.loaded.add(t.loaded);
      sum.stored.add(t.stored);
      sum.constant |= t.constant;
    }
  }
  for (const auto& [address, t] : all) {
    (t.constant ? out.constant : out.global).load.unique_bytes += t.loaded.count();
    out.global.store.unique_bytes += t.stored.count();
  }
}

std::vector<LaunchResult::Line> lines_of(const Kernel& k, const std::vector<Profile>& profile) {
  std::vector<LaunchResult::Line> out;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Site& site = k.sites[k.code[i].site];
    if (site.counted) out.push_back({site.where, site.text, {profile[i].warps, profile[i].lanes}});
  }
  return out;
}

/// Frees the workspace of a cooperative launch in any case.
class Workspace {
 public:
  Workspace(Memory& memory, bool wanted) : memory_(memory) {
    if (!wanted) return;
    address = memory_.allocate(workspace_bytes, "workspace of the grid barrier");
    memory_.fill(address, 0, 1, workspace_bytes);
    const std::uint32_t size = workspace_bytes;
    memory_.write(address, &size, sizeof size);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    if (address) memory_.free(address);
  }
  std::uint64_t address = 0;

 private:
  Memory& memory_;
};

std::exception_ptr run_all(LaunchState& state, std::vector<Worker>& workers) {
  std::mutex mutex;
  std::exception_ptr first;
  auto work = [&](Worker& worker) {
    try {
      run_worker(worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      state.stop = true;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < workers.size(); ++i) threads.emplace_back(work, std::ref(workers[i]));
  work(workers[0]);
  for (std::thread& t : threads) t.join();
  return first;
}

}  // namespace

void Parameters::add_bytes(const void* value, std::size_t bytes) {
  if (next_ >= info_.parameters.size()) throw std::invalid_argument("too many parameters for " + info_.name);
  const Parameter& p = info_.parameters[next_++];
  if (p.bytes != bytes) {
    throw std::invalid_argument(
        fmt::format("parameter {} of {} has {} bytes, not {}", next_ - 1, info_.name, p.bytes, bytes));
  }
  std::memcpy(bytes_.data() + p.offset, value, bytes);
}

LaunchResult launch(const Instance& instance, const std::string& name, Dim3 grid, Dim3 block,
                    std::uint32_t dynamic_shared, const std::vector<std::uint8_t>& parameters,
                    const LaunchOptions& options) {
  const Kernel& kernel = instance.module().kernel(name);
  const u64 dynamic_at = (u64{kernel.shared_bytes} + 15) / 16 * 16;
  const u64 shared = dynamic_shared ? dynamic_at + dynamic_shared : kernel.shared_bytes;
  check_shape(kernel, grid, block, shared);
  if (parameters.size() < kernel.parameter_bytes) throw std::invalid_argument("too few parameter bytes for " + name);

  const Workspace workspace(instance.memory(), options.cooperative);
  LaunchState state;
  state.kernel = &kernel;
  state.memory = &instance.memory();
  state.options = &options;
  state.grid = grid;
  state.block = block;
  state.dynamic_shared = dynamic_shared;
  state.shared_bytes = static_cast<u32>(shared);
  state.parameters = parameters;
  state.constants = kernel.constants;
  state.workspace = workspace.address;
  for (ConstantRegister& c : state.constants) {
    if (c.kind == ConstantRegister::Kind::symbol) c.value += instance.symbol(c.symbol).address;
    if (c.kind == ConstantRegister::Kind::dynamic_shared) c.value += dynamic_at;
  }
  const u64 blocks = grid.count();
  state.block_order = block_order(options, blocks);
  const u64 processors = std::max(1u, std::thread::hardware_concurrency());
  const u64 wanted = options.cooperative ? 1 : options.threads ? options.threads : processors;
  std::vector<Worker> workers(std::min(wanted, blocks));
  state.parallel = workers.size() > 1;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    Worker& w = workers[i];
    w.launch = &state;
    w.kernel = &kernel;
    w.count = options.counts;
    w.race = options.checks.races && shared != 0;
    w.track_writes = options.checks.uninitialised;
    w.note_granules = handlers().note_granules;
    w.observe = w.count || w.race || w.track_writes;
    w.generation = instance.memory().generation();
    w.step_limit = options.step_limit ? options.step_limit : default_step_limit;
    w.windows.assign(kernel.access_slots, Window{0, 0});  // empty
    w.profile.resize(kernel.code.size());
    w.random.seed(options.seed + i);
  }
  const std::exception_ptr error = run_all(state, workers);
  for (const Worker& w : workers) {
    for (u64 address : w.stored_unseen) instance.memory().mark_written(address);
  }
  if (error) std::rethrow_exception(error);

  LaunchResult result;
  for (std::size_t i = 1; i < workers.size(); ++i) {
    for (std::size_t op = 0; op < kernel.code.size(); ++op) {
      workers[0].profile[op].warps += workers[i].profile[op].warps;
      workers[0].profile[op].lanes += workers[i].profile[op].lanes;
    }
  }
  for (const Worker& w : workers) result.counts += w.counts;
  add_profile(result.counts, kernel, workers[0].profile);
  if (options.counts) add_unique_bytes(result.counts, workers);
  result.lines = lines_of(kernel, workers[0].profile);
  return result;
}

LaunchResult launch(const Instance& instance, const std::string& name, Dim3 grid, Dim3 block,
                    std::uint32_t dynamic_shared, const void* const* parameters, const LaunchOptions& options) {
  Parameters packed(instance.module().info(name));
  for (std::size_t i = 0; !packed.complete(); ++i) {
    packed.add_bytes(parameters[i], instance.module().kernel(name).parameters[i].bytes);
  }
  return launch(instance, name, grid, block, dynamic_shared, packed.bytes(), options);
}

}  // namespace ridge::ptx
