// Graphs, as far as capturing a stream makes them: operations in an order that respects every dependency.
#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {
namespace {

CUresult end_capture(Reference::State& state, CUstream on, CUgraph* graph) {
  StandInStream& origin = state.stream(on, state.here());
  if (origin.capturing == nullptr || !origin.capture_origin) return CUDA_ERROR_ILLEGAL_STATE;
  const CUgraph captured = origin.capturing;
  bool joined = true;
  for (const auto& [handle, stream] : state.streams)
    if (stream->capturing == captured) {
      joined = joined && !stream->unjoined;
      stream->capturing = nullptr;
      stream->capture_origin = stream->unjoined = false;
    }
  if (!joined) {
    state.graphs.erase(captured);
    *graph = nullptr;
    return state.refuse(CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                        "the capture holds work that its first stream never waited for");
  }
  *graph = captured;
  return CUDA_SUCCESS;
}

}  // namespace

void fill_graph(device::cuda::Driver& table, Reference::State& state) {
  table.cuStreamBeginCapture = state.entry("cuStreamBeginCapture", [&state](CUstream on, CUstreamCaptureMode) {
    Gpu& gpu = state.here();
    if (on == nullptr) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    StandInStream& stream = state.stream(on, gpu);
    if (stream.capturing != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
    auto graph = std::make_unique<StandInGraph>();
    graph->gpu = &gpu;
    stream.capturing = Reference::State::add(state.graphs, std::move(graph));
    stream.capture_origin = true;
    return CUDA_SUCCESS;
  });
  table.cuStreamEndCapture = state.entry(
      "cuStreamEndCapture", [&state](CUstream on, CUgraph* graph) { return end_capture(state, on, graph); });
  table.cuGraphInstantiate =
      state.entry("cuGraphInstantiate", [&state](CUgraphExec* executable, CUgraph graph, unsigned long long) {
        const StandInGraph& from = Reference::State::find(state.graphs, graph);
        *executable = Reference::State::add(state.executables, std::make_unique<StandInGraph>(from));
        return CUDA_SUCCESS;
      });
  table.cuGraphLaunch = state.entry("cuGraphLaunch", [&state](CUgraphExec handle, CUstream on) {
    Gpu& gpu = state.here();
    const StandInGraph& graph = Reference::State::find(state.executables, handle);
    StandInStream& stream = state.stream(on, gpu);
    for (const auto& operation : graph.operations) state.enqueue(stream, operation);
    return CUDA_SUCCESS;
  });
  table.cuGraphDestroy = state.entry("cuGraphDestroy", [&state](CUgraph graph) {
    Reference::State::find(state.graphs, graph);
    state.graphs.erase(graph);
    return CUDA_SUCCESS;
  });
  table.cuGraphExecDestroy = state.entry("cuGraphExecDestroy", [&state](CUgraphExec executable) {
    Reference::State::find(state.executables, executable);
    state.executables.erase(executable);
    return CUDA_SUCCESS;
  });
}

}  // namespace ridge::ptx
