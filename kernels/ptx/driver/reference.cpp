// The reference GPUs as tests and the device see them.
#include "kernels/ptx/driver/reference.hpp"

#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {

Reference::Reference(const ReferenceSettings& settings) : state_(std::make_shared<State>(settings)) {}

Reference::~Reference() = default;

std::shared_ptr<const device::cuda::Driver> Reference::driver() const {
  auto table = std::make_shared<device::cuda::Driver>();
  table->source = "the reference machine";
  table->version = state_->settings.driver_version;
  table->modelled = true;
  table->library = state_;
  fill_device(*table, *state_);
  fill_module(*table, *state_);
  fill_memory(*table, *state_);
  fill_copy(*table, *state_);
  fill_stream(*table, *state_);
  fill_event(*table, *state_);
  fill_graph(*table, *state_);
  return table;
}

void Reference::fail(const std::string& call, int nth, CUresult status) {
  const std::lock_guard lock(state_->mutex);
  state_->failures[call][state_->calls[call] + nth] = status;
}

std::map<std::string, int> Reference::calls() const {
  const std::lock_guard lock(state_->mutex);
  return state_->calls;
}

std::string Reference::left() const {
  const std::lock_guard lock(state_->mutex);
  std::string text;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  };
  std::uint64_t bytes = 0;
  std::uint64_t contexts = 0;
  for (const auto& gpu : state_->gpus) {
    bytes += gpu->memory.used();
    contexts += static_cast<std::uint64_t>(gpu->retained);
  }
  add(contexts, "primary contexts");
  add(state_->modules.size(), "modules");
  add(state_->streams.size(), "streams");
  add(state_->events.size(), "events");
  add(state_->graphs.size() + state_->executables.size(), "graphs");
  add(state_->pinned.size(), "pieces of pinned memory");
  add(bytes, "bytes of device memory");
  return text;
}

void Reference::set_launch_options(const LaunchOptions& options) {
  const std::lock_guard lock(state_->mutex);
  state_->settings.launch = options;
}

std::vector<LaunchNote> Reference::launches() const {
  const std::lock_guard lock(state_->mutex);
  return state_->launches;
}

std::vector<CopyNote> Reference::copies() const {
  const std::lock_guard lock(state_->mutex);
  return state_->copies;
}

device::Counted Reference::counted() const {
  const std::lock_guard lock(state_->mutex);
  device::Counted all;
  const auto as = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  for (const LaunchNote& note : state_->launches) {
    const Counts& c = note.counts;
    ++all.launches;
    all.bytes_read += as(c.global.load.bytes + c.atomic_global.bytes);
    all.bytes_written += as(c.global.store.bytes + c.atomic_global.bytes);
    all.shared_bytes_read += as(c.shared.load.bytes + c.atomic_shared.bytes);
    all.shared_bytes_written += as(c.shared.store.bytes + c.atomic_shared.bytes);
    all.flops += as(c.total_flops());
    all.instructions += as(c.instructions.warps);
    all.requests += as(c.global.load.requests + c.global.store.requests);
    all.sectors += as(c.global.load.sectors + c.global.store.sectors);
    all.bank_conflicts += as(c.shared.load.conflicts + c.shared.store.conflicts);
    all.divergent_branches += as(c.divergent_branches);
    all.lanes += as(c.instructions.lanes);
    all.floating_instructions += as(c.of(InstructionClass::floating).warps);
    all.floating_lanes += as(c.of(InstructionClass::floating).lanes);
    all.atomics += as(c.atomics);
    all.atomic_requests += as(c.atomic_global.requests + c.atomic_shared.requests);
    all.atomic_turns += as(c.atomic_global.requests + c.atomic_global.conflicts);
    all.atomic_turns += as(c.atomic_shared.requests + c.atomic_shared.conflicts);
  }
  for (const CopyNote& note : state_->copies) {
    if (note.kind != CopyNote::Kind::fill) all.bytes_read += note.bytes;
    all.bytes_written += note.bytes;
  }
  return all;
}

void Reference::clear_notes() {
  const std::lock_guard lock(state_->mutex);
  state_->launches.clear();
  state_->copies.clear();
}

}  // namespace ridge::ptx
