// The matrix instructions' fragments by the PTX manual: where each element of A, B, C and D lies in the registers of a
// warp, written from the manual's formulas and sharing no line with the machine.
#pragma once

#include <functional>
#include <vector>

#include "kernels/ptx/machine/counts.hpp"
#include "kernels/ptx/text/type.hpp"

namespace ridge::ptx::testing {

struct At {
  int row, column;
};

/// One instruction of the manual (PTX ISA, "Matrix Fragments for mma.m16n8k16 …"): a_i, b_i and c_i of a lane, with
/// groupID = lane >> 2 and threadID_in_group = lane % 4.
struct Figure {
  const char* text;
  Type in, sum;
  int m, n, k;
  int a_elements, b_elements, c_elements;  // of a lane
  FlopType counted;
  std::function<At(int group, int thread, int i)> a, b, c;
};

inline At sums_of_16_rows(int group, int thread, int i) {
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

inline const std::vector<Figure>& figures() {
  const auto a16 = [](int g, int t, int i) {
    return At{(i < 2) || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  };
  const auto b16 = [](int g, int t, int i) { return At{t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g}; };
  static const std::vector<Figure> all{
      {"m16n8k16.row.col.f32.f16.f16.f32", Type::f16, Type::f32, 16, 8, 16, 8, 4, 4, FlopType::f16, a16, b16,
       sums_of_16_rows},
      {"m16n8k16.row.col.f32.bf16.bf16.f32", Type::bf16, Type::f32, 16, 8, 16, 8, 4, 4, FlopType::bf16, a16, b16,
       sums_of_16_rows},
      {"m16n8k8.row.col.f32.tf32.tf32.f32", Type::tf32, Type::f32, 16, 8, 8, 4, 2, 4, FlopType::tf32,
       [](int g, int t, int i) {
         return At{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
       },
       [](int g, int t, int i) {
         return At{i == 0 ? t : t + 4, g};
       },
       sums_of_16_rows},
      {"m16n8k32.row.col.s32.s8.s8.s32", Type::s8, Type::s32, 16, 8, 32, 16, 8, 4, FlopType::integer,
       [](int g, int t, int i) {
         return At{i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
       },
       [](int g, int t, int i) {
         return At{t * 4 + (i & 3) + (i >= 4 ? 16 : 0), g};
       },
       sums_of_16_rows},
      {"m8n8k4.row.col.f64.f64.f64.f64", Type::f64, Type::f64, 8, 8, 4, 1, 1, 2, FlopType::f64,
       [](int g, int t, int) {
         return At{g, t};
       },
       [](int g, int t, int) {
         return At{t, g};
       },
       [](int g, int t, int i) {
         return At{g, t * 2 + i};
       }},
  };
  return all;
}

}  // namespace ridge::ptx::testing
