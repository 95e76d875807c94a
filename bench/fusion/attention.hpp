// Attention as a benchmark of the family: what its points mean, its work, and its case on the CPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"
#include "kernels/attention/reference.hpp"
#include "kernels/stream/check.hpp"
#include "reports/record/report.hpp"

namespace ridge::bench::fusion {

inline constexpr const char* attention_name = "fusion.attention";

Definition attention_definition();

ridge::attention::Shape attention_shape(const record::Point& point);
record::Work attention_work(const record::Point& point);
// q, k, v, out with what guards it, packed keys and values, a workspace for each thread, and scores where they are
// materialised.
std::vector<std::int64_t> attention_buffers(const record::Point& point);

// `kernels` are tried by tests with wrong ones in their place.
std::unique_ptr<Case> make_attention(CpuContext& context, const record::Point& point,
                                     const ridge::attention::Kernels& kernels);

// Queries that a library multiplies at once where attention is causal: each such panel goes up to its last one's key.
inline constexpr std::int64_t library_panel = 4 * ridge::attention::query_block;
// Pairs of a query and a key that a library computes, of all heads.
std::int64_t library_pairs(const ridge::attention::Shape& shape);
// Of a library's products, with the scores in memory. Causal: with a softmax of ours between them, which leaves out
// what no query sees.
bool by_library(const record::Point& point);
std::unique_ptr<Case> prepare_library_attention(CpuContext& context, const record::Point& point);

std::unique_ptr<Case> prepare_cuda_attention(CudaContext& context, const record::Point& point);

// Results of query i of one head, (head) at `have`.
void check_query(stream::Check& check, const ridge::attention::Oracle& oracle, const ridge::attention::Shape& shape,
                 std::int64_t head, std::int64_t i, const float* have);

// Adds predictions and speed-ups to the family's attention records.
std::vector<record::Finding> conclude_attention(std::span<record::Record> records);

}  // namespace ridge::bench::fusion
