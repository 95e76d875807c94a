// Arrays fetched from the ranks' memory, joined, and put where the operation says.
#include "kernels/ptx/nccl/join.hpp"

#include <cstring>

#include "kernels/reduce/combine.hpp"

namespace ridge::ptx {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes fetched(const Memory& memory, const void* at, std::size_t bytes, Counts& counts) {
  Bytes data(bytes);
  memory.read(data.data(), reinterpret_cast<std::uint64_t>(at), bytes);
  counts.global.load.bytes += bytes;
  return data;
}

void put(Memory& memory, void* at, const std::uint8_t* data, std::size_t bytes, Counts& counts) {
  memory.write(reinterpret_cast<std::uint64_t>(at), data, bytes);
  counts.global.store.bytes += bytes;
}

// ncclFloat8e4m3 and ncclFloat8e5m2, which older headers do not have.
constexpr auto e4m3 = static_cast<ncclDataType_t>(10);
constexpr auto e5m2 = static_cast<ncclDataType_t>(11);

reduce::Rule rule_of(const NcclCall& call) {
  const auto type = call.type == ncclFloat64    ? reduce::Type::f64
                    : call.type == ncclInt32    ? reduce::Type::i32
                    : call.type == ncclFloat16  ? reduce::Type::f16
                    : call.type == ncclBfloat16 ? reduce::Type::bf16
                    : call.type == e4m3         ? reduce::Type::e4m3
                    : call.type == e5m2         ? reduce::Type::e5m2
                                                : reduce::Type::f32;
  const auto op = call.op == ncclMax ? reduce::Op::max : call.op == ncclMin ? reduce::Op::min : reduce::Op::sum;
  return {op, type};
}

FlopType flop_type_of(ncclDataType_t type) {
  switch (type) {
    case ncclFloat64:
      return FlopType::f64;
    case ncclFloat16:
      return FlopType::f16;
    case ncclBfloat16:
      return FlopType::bf16;
    case e4m3:
    case e5m2:
      return FlopType::f8;
    case ncclInt32:
      return FlopType::integer;
    default:
      return FlopType::f32;
  }
}

// Counts an operation for each element that is joined to another, whatever the type.
Bytes joined(const NcclCall& like, const std::vector<Bytes>& inputs, Counts& counts) {
  Bytes sum(inputs.front().size());
  std::vector<const void*> sources;
  for (const Bytes& input : inputs) sources.push_back(input.data());
  void* const targets[] = {sum.data()};
  reduce::combine(rule_of(like), sources, targets, 0, static_cast<std::int64_t>(sum.size() / bytes_of(like.type)));
  counts.flops_of(flop_type_of(like.type)) += (inputs.size() - 1) * (sum.size() / bytes_of(like.type));
  return sum;
}

const char* name_of(Kind kind) {
  constexpr const char* names[] = {"ncclAllReduce",     "ncclReduce", "ncclBroadcast", "ncclAllGather",
                                   "ncclReduceScatter", "ncclSend",   "ncclRecv"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

std::size_t bytes_of(ncclDataType_t type) {
  switch (type) {
    case ncclFloat32:
    case ncclInt32:
      return 4;
    case ncclFloat64:
      return 8;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    case e4m3:
    case e5m2:
      return 1;
    default:
      return 0;
  }
}

std::string mismatch(const std::vector<NcclCall>& calls) {
  const NcclCall& first = calls.front();
  for (std::size_t rank = 1; rank < calls.size(); ++rank) {
    const NcclCall& call = calls[rank];
    const std::string whose = "rank " + std::to_string(rank);
    if (call.kind != first.kind)
      return whose + " calls " + name_of(call.kind) + " where rank 0 calls " + name_of(first.kind);
    if (call.count != first.count) return whose + " has another count than rank 0";
    if (call.type != first.type) return whose + " has another type than rank 0";
    if (call.op != first.op) return whose + " has another operation than rank 0";
    if (call.peer != first.peer) return whose + " has another root than rank 0";
  }
  return {};
}

std::vector<Counts> join(const std::vector<NcclCall>& calls, std::span<Memory* const> memories) {
  const NcclCall& like = calls.front();
  const std::size_t ranks = calls.size(), bytes = like.count * bytes_of(like.type);
  std::vector<Counts> counts(ranks);
  const bool splits = like.kind == Kind::reducescatter;
  const auto root = static_cast<std::size_t>(like.peer);
  // All inputs before any output, which may lie in the same place.
  std::vector<Bytes> inputs(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    if (like.kind != Kind::broadcast || r == root)
      inputs[r] = fetched(*memories[r], calls[r].in, splits ? bytes * ranks : bytes, counts[r]);
  Bytes result;
  if (like.kind == Kind::broadcast) {
    result = inputs[root];
  } else if (like.kind == Kind::allgather) {
    for (const Bytes& input : inputs) result.insert(result.end(), input.begin(), input.end());
  } else {
    result = joined(like, inputs, counts[0]);
  }
  for (std::size_t r = 0; r < ranks; ++r) {
    if (like.kind == Kind::reduce && r != root) continue;
    if (like.kind == Kind::broadcast && r == root && calls[r].in == calls[r].out) continue;
    const std::uint8_t* const from = result.data() + (splits ? r * bytes : 0);
    put(*memories[r], calls[r].out, from, splits ? bytes : result.size(), counts[r]);
  }
  return counts;
}

std::vector<Counts> pass(const NcclCall& send, const NcclCall& receive, std::span<Memory* const> both) {
  std::vector<Counts> counts(2);
  const Bytes data = fetched(*both[0], send.in, send.count * bytes_of(send.type), counts[0]);
  put(*both[1], receive.out, data.data(), data.size(), counts[1]);
  return counts;
}

}  // namespace ridge::ptx
