// Work of several streams: the first that comes to it lets the others come there too, and does it for all.
#include "kernels/ptx/driver/joint_work.hpp"

#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {
namespace {

struct Joint {
  std::vector<StandInStream*> streams;
  std::vector<std::uint64_t> before;  // operations of each stream that come before this
  bool begun = false;
};

void run_once(Reference::State& state, Joint& joint, const std::string& name, const JointWork& work) {
  if (joint.begun) return;
  joint.begun = true;
  std::vector<Memory*> memories;
  for (std::size_t i = 0; i < joint.streams.size(); ++i) {
    state.run(*joint.streams[i], joint.before[i]);
    memories.push_back(&joint.streams[i]->gpu->memory);
  }
  std::vector<Counts> counts = work(memories);
  for (std::size_t i = 0; i < joint.streams.size(); ++i)
    state.launches.push_back({joint.streams[i]->gpu->index, name, {1}, {1}, std::move(counts[i])});
}

}  // namespace

CUresult queue_joint_work(const device::cuda::Driver& driver, const std::vector<Place>& places, const std::string& name,
                          JointWork work) {
  auto& state = *static_cast<Reference::State*>(driver.library.get());
  return state.entry("joint work of a library", [&] {
    const auto joint = std::make_shared<Joint>();
    for (const Place& place : places) {
      StandInStream& stream = state.stream(place.stream, state.gpu(place.gpu));
      state.require_no_capture(stream);
      joint->streams.push_back(&stream);
      joint->before.push_back(stream.queued);
    }
    for (StandInStream* stream : joint->streams)
      state.enqueue(*stream, [&state, joint, name, work] { run_once(state, *joint, name, work); });
    return CUDA_SUCCESS;
  })();
}

int current_gpu(const device::cuda::Driver& driver) {
  auto& state = *static_cast<Reference::State*>(driver.library.get());
  int index = -1;
  static_cast<void>(state.entry("current GPU of a library", [&] {
    index = state.here().index;
    return CUDA_SUCCESS;
  })());
  return index;
}

}  // namespace ridge::ptx
