// What gives a wrong kernel away when its case is run on a reference GPU: for the tests that judge mutants.
#pragma once

#include <string>

#include "bench/harness/proof.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

namespace ridge::bench::testing {

enum class Memory { device, shared };  // where the bytes of the statement lie

// "wrong answer", "other work", or nothing: it passed for the right kernel. `stated` where the case does not tell.
inline std::string given_away_by(Case& one, ptx::testing::OneGpu& gpu, const record::Work& stated = {},
                                 Memory memory = Memory::device) {
  if (one.verify().status != record::Check::passed) return "wrong answer";
  const auto counted = gpu.count([&] { one.run(1); });
  const auto of_memory = memory == Memory::shared ? of_shared_memory(counted) : counted;
  return prove(one.work().value_or(stated), one.besides_work(), of_memory).proven ? "" : "other work";
}

}  // namespace ridge::bench::testing
