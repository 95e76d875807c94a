// Recording a stream into a graph.
#include "kernels/device/cuda/graph.hpp"

namespace ridge::device::cuda {

Graph::Graph(std::shared_ptr<const Context> context, Stream& stream, const std::function<void()>& work)
    : context_(std::move(context)) {
  const Driver& driver = context_->driver();
  context_->make_current();
  context_->check(driver.cuStreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                  "cuStreamBeginCapture");
  CUgraph graph = nullptr;
  try {
    work();
  } catch (...) {
    context_->note(driver.cuStreamEndCapture(stream.handle(), &graph), "cuStreamEndCapture");
    if (graph != nullptr) context_->note(driver.cuGraphDestroy(graph), "cuGraphDestroy");
    throw;
  }
  context_->check(driver.cuStreamEndCapture(stream.handle(), &graph), "cuStreamEndCapture");
  const CUresult made = driver.cuGraphInstantiate(&executable_, graph, 0);
  context_->note(driver.cuGraphDestroy(graph), "cuGraphDestroy");  // what is launched is a copy
  context_->check(made, "cuGraphInstantiate");
}

Graph::~Graph() {
  const Driver& driver = context_->driver();
  context_->note(driver.cuCtxSetCurrent(context_->handle()), "cuCtxSetCurrent");
  context_->note(driver.cuGraphExecDestroy(executable_), "cuGraphExecDestroy");
}

void Graph::launch(Stream& stream) const {
  stream.before_enqueue();
  context_->check(context_->driver().cuGraphLaunch(executable_, stream.handle()), "cuGraphLaunch");
}

}  // namespace ridge::device::cuda
