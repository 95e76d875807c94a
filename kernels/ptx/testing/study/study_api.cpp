// The study's programming interface (ptxrun.h) on the reference machine, so that the study's own tests run on it too.
// Its device addresses are host addresses, so every allocation is host memory mapped at its own address.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "kernels/ptx/ptx.hpp"
#include "ptxrun.h"

namespace ptxrun {
namespace {

namespace ours = ridge::ptx;

ours::Memory& memory() {
  static ours::Memory m;
  return m;
}

/// Every launch with races checked or not as asked; an unwritten byte is no fault, for the tests fill memory by
/// pointer.
ours::LaunchOptions translated(const Options& o) {
  ours::LaunchOptions out;
  out.order = static_cast<ours::Order>(o.order);
  out.seed = o.seed;
  out.checks.races = o.race;
  out.checks.uninitialised = false;
  out.counts = o.stats;
  out.cooperative = o.coop;
  out.resident_blocks = o.resident;
  out.turn = o.quantum;
  out.step_limit = o.maxInstr;
  return out;
}

class OnReferenceMachine final : public Module {
 public:
  explicit OnReferenceMachine(const std::string& text) : instance_(ours::Module::parse(text), memory()) {}

  std::vector<std::string> kernels() const override { return instance_.module().kernels(); }
  KernelInfo info(const std::string& kernel) override {
    KernelInfo out;
    out.name = kernel;
    return out;
  }
  void* symbol(const std::string& name, std::size_t* bytes) override {
    const auto at = instance_.symbol(name);
    if (bytes) *bytes = at.bytes;
    return memory().find(at.address)->data;
  }
  Stats launch(const std::string& kernel, Dim3 grid, Dim3 block, std::size_t shared, void** arguments,
               const Options& o) override {
    Stats out;
    const auto start = std::chrono::steady_clock::now();
    try {
      const auto r = ours::launch(instance_, kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z},
                                  static_cast<std::uint32_t>(shared), arguments, translated(o));
      out.threadInstr = r.counts.instructions.lanes;
      out.warpInstr = r.counts.instructions.warps;
    } catch (const ours::Fault& f) {
      if (f.kind == ours::FaultKind::race && o.race) {
        out.hazards = 1;
      } else if (f.kind == ours::FaultKind::step_limit) {
        throw Error(std::string("instruction limit: ") + f.what());
      } else if (f.kind == ours::FaultKind::out_of_bounds) {
        throw Error(std::string("out of bounds: ") + f.what());
      } else {
        throw;
      }
    }
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
  }

 private:
  ours::Instance instance_;
};

}  // namespace

void* alloc(std::size_t bytes, const char* name) {
  void* p = std::aligned_alloc(256, (bytes + 511) / 256 * 256);
  if (!p) throw std::bad_alloc();
  std::memset(p, 0xff, bytes);
  memory().map_host(p, bytes, name);
  return p;
}

void dealloc(void* p) {
  memory().unmap_host(p);
  std::free(p);
}

std::shared_ptr<Module> Module::fromText(const std::string& text, const std::string&) {
  return std::make_shared<OnReferenceMachine>(text);
}

std::shared_ptr<Module> Module::load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot open " + path);
  return fromText(std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>()));
}

}  // namespace ptxrun
