// Attention by oneDNN: two products with its softmax between them, or causal the products alone, in panels of queries.
#include <algorithm>
#include <cmath>

#include "kernels/gemm_library/onednn_calls.hpp"

namespace ridge::gemm {

using onednn::naming;
using onednn::OneDnn;

namespace {

Problem problem_of(const AttentionShape& s, int threads) {
  Problem problem;
  problem.batch = s.heads, problem.m = problem.n = s.sequence, problem.k = s.head, problem.threads = threads;
  return problem;
}

// Both products of the queries from `first` on, up to the last one's key.
void add_panel(OneDnn& of_scores, OneDnn& of_values, const AttentionShape& s, const CausalPanels& panels,
               const AttentionPointers& at, std::int64_t first) {
  const std::int64_t of_head = s.sequence * s.head;  // elements of its q, k, v, out
  const std::int64_t queries = std::min(panels.queries, s.sequence - first), keys = first + queries;
  const auto moved = [](void* base, std::int64_t elements) -> void* { return static_cast<float*>(base) + elements; };
  const auto rows = of_scores.part(queries, s.head, of_head, s.head);
  const auto scores = of_scores.part(queries, keys, panels.rows * panels.stride, panels.stride);
  void* const scores_at = moved(at.scores, first * panels.stride);
  of_scores.add_product(rows, moved(at.q, first * s.head), of_scores.part(s.head, keys, of_head, 1, s.head), at.k,
                        scores, scores_at, Packing::as_given,
                        of_scores.scaled(1 / std::sqrt(static_cast<float>(s.head))));
  of_values.add_product(scores, scores_at, of_values.part(keys, s.head, of_head, s.head), at.v, rows,
                        moved(at.out, first * s.head), Packing::as_given);
}

}  // namespace

std::unique_ptr<Library> open_onednn_attention(const AttentionShape& s, const AttentionPointers& at, int threads,
                                               const device::LibraryOpener& opener) {
  const Problem problem = problem_of(s, threads);
  return naming(problem, [&] {
    auto made = std::make_unique<OneDnn>(problem, opener);
    const auto rows = made->matrix(Type::f32, s.sequence, s.head, false);
    const auto turned = made->matrix(Type::f32, s.head, s.sequence, true);
    const auto scores = made->matrix(Type::f32, s.sequence, s.sequence, false);
    made->add_product(rows, at.q, turned, at.k, scores, at.scores, Packing::as_given,
                      made->scaled(1 / std::sqrt(static_cast<float>(s.head))));
    made->add_softmax(scores, at.scores);
    made->add_product(scores, at.scores, rows, at.v, rows, at.out, Packing::as_given);
    return made;
  });
}

AttentionProducts open_onednn_causal_products(const AttentionShape& s, const CausalPanels& panels,
                                              const AttentionPointers& at, int threads,
                                              const device::LibraryOpener& opener) {
  const Problem problem = problem_of(s, threads);
  return naming(problem, [&] {
    auto of_scores = std::make_unique<OneDnn>(problem, opener), of_values = std::make_unique<OneDnn>(problem, opener);
    for (std::int64_t first = 0; first < s.sequence; first += panels.queries)
      add_panel(*of_scores, *of_values, s, panels, at, first);
    return AttentionProducts{std::move(of_scores), std::move(of_values)};
  });
}

}  // namespace ridge::gemm
