// Registers that PTX defines itself: of the place of a thread, of the launch, and clocks.
#include <array>

#include "kernels/ptx/engine/lowering.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

struct SpecialName {
  const char* name;
  Special which;
  bool axes;
};
constexpr std::array<SpecialName, 23> special_names = {{{"%tid", Special::tid, true},
                                                        {"%ntid", Special::ntid, true},
                                                        {"%ctaid", Special::ctaid, true},
                                                        {"%nctaid", Special::nctaid, true},
                                                        {"%laneid", Special::laneid, false},
                                                        {"%warpid", Special::warpid, false},
                                                        {"%nwarpid", Special::nwarpid, false},
                                                        {"%smid", Special::smid, false},
                                                        {"%nsmid", Special::nsmid, false},
                                                        {"%gridid", Special::gridid, false},
                                                        {"%lanemask_eq", Special::lanemask_eq, false},
                                                        {"%lanemask_lt", Special::lanemask_lt, false},
                                                        {"%lanemask_le", Special::lanemask_le, false},
                                                        {"%lanemask_gt", Special::lanemask_gt, false},
                                                        {"%lanemask_ge", Special::lanemask_ge, false},
                                                        {"%dynamic_smem_size", Special::dynamic_shared_bytes, false},
                                                        {"%total_smem_size", Special::total_shared_bytes, false},
                                                        {"%envreg1", Special::workspace_high, false},
                                                        {"%envreg2", Special::workspace_low, false},
                                                        {"%clusterid", Special::ctaid, true},
                                                        {"%nclusterid", Special::nctaid, true},
                                                        {"%cluster_ctaid", Special::zero, true},
                                                        {"%cluster_nctaid", Special::one, true}}};

bool find_special(const std::string& name, Special& which, u8& axis) {
  for (const SpecialName& s : special_names) {
    const std::string base = s.name;
    if (!s.axes && name == base) {
      which = s.which;
      axis = 0;
      return true;
    }
    if (s.axes && name.size() == base.size() + 2 && name.compare(0, base.size(), base) == 0 &&
        name[base.size()] == '.') {
      const char c = name.back();
      if (c < 'x' || c > 'z') return false;
      which = s.which;
      axis = static_cast<u8>(c - 'x');
      return true;
    }
  }
  return false;
}

bool is_clock(const std::string& n) {
  return n == "%clock" || n == "%clock_hi" || n == "%clock64" || n == "%globaltimer" || n == "%globaltimer_lo" ||
         n == "%globaltimer_hi";
}

}  // namespace

u32 Lowering::special(const std::string& name, unsigned bytes) {
  SpecialRegister r;
  if (name == "WARP_SZ") return constant(bytes, 32);
  if (is_clock(name)) {
    const u32 at = new_register(bytes);
    const u32 counting_site = site_;
    hide_rest();
    Op& op = emit(run_clock);
    op.dst = at;
    op.k = static_cast<u8>(bytes);
    op.n = name.size() > 3 && name.compare(name.size() - 3, 3, "_hi") == 0;
    site_ = counting_site;
    return at;
  }
  if (!find_special(name, r.which, r.axis)) throw Unsupported("unknown name " + name);
  const std::string key = name + "/" + std::to_string(bytes);
  if (auto it = specials_.find(key); it != specials_.end()) return it->second;
  r.bytes = bytes;
  r.offset = new_register(bytes);
  kernel_.specials.push_back(r);
  return specials_[key] = r.offset;
}

}  // namespace ridge::ptx
