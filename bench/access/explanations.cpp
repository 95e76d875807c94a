// The texts of the family, which share their derivation.
#include "bench/access/explanations.hpp"

namespace ridge::bench::access {
namespace {

const char* const how_predicted =
    "bandwidth = width · elements / seconds: bytes that were asked for. predicted_bandwidth = that of the unbroken "
    "pattern of the same run (stride 1, offset 0) × bytes it moves for each byte asked for / bytes this one moves. "
    "On a GPU what moves are 32-byte sectors: lane l of a warp asks for width bytes at (offset + l · stride) · width, "
    "and predicted_sectors_per_request counts the sectors that its 32 lanes touch. 4-byte elements at stride 1: 4; "
    "2: 8; 4: 16; from 8 on 32, one for each lane; stride 1 shifted by one element: 5. On a CPU what moves are 64-byte "
    "lines, for all elements in one: stride s of 4-byte elements uses 1/s of each line until s = 16, and 1/16 beyond. "
    "What prefetchers and pages add to that, access.pages takes apart.";

Explanation common(const char* measures, const char* normal) {
  Explanation text;
  text.measures = measures;
  text.formula = how_predicted;
  text.counting =
      "the bytes of the elements that are asked for, once each; not what moves along with them. On the reference "
      "machine sectors_per_request is counted from executed instructions";
  text.spoil =
      "An array that fits in a cache: then it is that cache's lines that count. A stride that is a multiple of a page "
      "or of a cache's way: elements then meet in few sets, or each needs a translation of its own. Strides that a "
      "prefetcher follows look better than the prediction, and those it overshoots worse.";
  text.normal = normal;
  return text;
}

}  // namespace

Explanation explain_stride() {
  return common(
      "What it costs to use a part of each line or sector only: every s-th element of an array is loaded or stored.",
      "On a CPU near the prediction up to a line; beyond it prefetchers fetch lines that nobody asked for, pages run "
      "out of translations, and half of the prediction is common. On a GPU near the prediction.");
}

Explanation explain_offset() {
  return common(
      "What it costs when an array does not begin where a line or sector does.",
      "On a CPU nothing: neighbouring elements share the line that is split. On a GPU a warp's request touches one "
      "sector more unless the offset is a multiple of 32 bytes, and the L1 cache keeps it for the neighbouring warp: "
      "less than the predicted fifth.");
}

Explanation explain_width() {
  return common(
      "What it costs to move the same bytes by more instructions.",
      "On a CPU one-byte elements are bound by instructions, not by memory. On a GPU a warp's request of 1-byte "
      "elements is one sector: four times as many requests as with 4 bytes for the same bytes, and too few bytes in "
      "flight to fill the memory.");
}

Explanation explain_random() {
  Explanation text = common(
      "What it costs when a table says which element comes next, as in embeddings, graphs and sparse matrices: every "
      "element of the array once, in a random order.",
      "On a CPU a third of the prediction and less out of cache: most elements need a translation of their page as "
      "well, and only as many are under way as the core holds misses. On a GPU, which has more of both, nearer.");
  text.formula =
      "bandwidth = (4 + width) · elements / seconds: each index of 4 bytes and each element once. For each of them the "
      "index moves whole and in order, and the element moves the 64-byte line (CPU) or the 32-byte sector (GPU) that "
      "it "
      "lies in: predicted_bandwidth = that of the unbroken pattern of the same run × (4 + width) / (4 + 64), or 32 in "
      "the place of 64. A warp's 32 elements out of n touch n/k · (1 − Π (n − k − l)/(n − l)) sectors, l = 0 … 31 and "
      "k = 32 / width elements in a sector; predicted_sectors_per_request is the mean of that and of the 4 sectors of "
      "the 32 indices.";
  text.counting = "each index and each element once; not what moves along with them";
  return text;
}

Explanation explain_layout() {
  Explanation text = common(
      "What it costs to keep records as an array of structures where only one field of each is used, and what a "
      "structure of arrays costs where all are.",
      "One field of an array of structures is a stride of its fields, and as far from the whole bandwidth; of a "
      "structure of arrays it is a plain array. With all fields used both move the same bytes. On a GPU each field of "
      "an array of structures is a request of its own that touches as many sectors as the stride does: the L1 cache "
      "keeps what the other fields need, as long as it is large enough.");
  text.formula =
      "Field f of item i lies at i · fields + f (aos), or at i + f · items (soa), in elements of 4 bytes. With one "
      "field used, aos is the pattern of stride `fields` and is predicted as such; in all other cases every line is "
      "used whole, and the unbroken pattern's bandwidth is the prediction. predicted_sectors_per_request is the mean "
      "over the fields that are used. " +
      text.formula;
  return text;
}

Explanation explain_pages() {
  Explanation text;
  text.measures =
      "What a stride costs besides the lines that it moves: one element of every line is taken, lines `stride` apart, "
      "then again from the next line on, until each was taken once. All strides move the same lines. What a longer "
      "stride loses on huge pages is the prefetchers' part; what it loses more on small pages is finding the page.";
  text.formula =
      "bandwidth = 4 · lines / seconds. predicted_bandwidth = that of stride 1 on huge pages in the same run, since "
      "the lines are the same: share_of_prediction is what is left without neighbours in order. against_huge_pages = "
      "time on small pages / time on huge ones, at the same stride. A page of 4 KiB is 64 lines: from there on every "
      "element has a page of its own.";
  text.counting = "4 bytes of each line, once; not the line that moves along with them";
  text.spoil =
      "An array that fits in a cache, or whose lines of one pass do. A stride that is a large power of two: the lines "
      "of a pass meet in few sets of a cache, and neighbours that came along are gone before their turn. No huge "
      "pages to be had: the record's page_size says what came.";
  text.normal =
      "Stride 1 as fast as memory delivers lines. Some lines apart prefetchers still follow within a page; from a page "
      "on each element waits for its line, and as many are under way as the core holds misses. On small pages a walk "
      "through the page table comes on top; on a virtual machine two.";
  return text;
}

Explanation explain_banks() {
  Explanation text;
  text.measures = "What it costs when the lanes of a warp meet in the same banks of shared memory.";
  text.formula =
      "Shared memory has 32 banks of 4 bytes, and word w lies in bank w mod 32. Lane l reads word l · stride: lanes l "
      "and m meet where (l − m) · stride is a multiple of 32, so gcd(stride, 32) lanes wait for each other, and a "
      "request takes as many wavefronts: 1 for every odd stride, 2, 4, 8, 16 and 32 for those powers of two. "
      "predicted_bandwidth = that of stride 1 in the same run / gcd(stride, 32).";
  text.counting =
      "4 bytes of shared memory for each lane and step; filling it and joining the sums are besides. On the reference "
      "machine the conflicts are counted: wavefronts less requests";
  text.spoil =
      "Lanes that read the same word do not conflict: it is given to all of them at once. Strides beyond 128 words "
      "come round to the same words here, and are skipped.";
  text.normal =
      "The prediction: nothing else is shared. Below it at stride 1, where issuing instructions costs as much.";
  return text;
}

Explanation explain_transpose() {
  Explanation text = common(
      "What it costs to write columns, and how tiles, padding and swizzling avoid it: the same bytes move in each "
      "variant.",
      "On a CPU tiles are the faster. Where the side is a power of two, the lines of a tile's column meet in few cache "
      "sets and put each other out before their other elements' turn; padded ones go through a buffer with rows of 33 "
      "elements, which lies in all sets, so that lines come and leave whole. On a GPU naive stores touch 32 sectors a "
      "request where 4 would do; tiled ones pay with 31 bank "
      "conflicts for each column in shared memory; padded and swizzled ones pay neither and come near a copy.");
  text.formula =
      "bandwidth = 2 · 4 · side² / seconds. Half of the bytes are loaded and half are stored, so predicted_bandwidth = "
      "2 / (a / load + b / store), with the bandwidths of the unbroken pattern's loads and stores (access.stride with "
      "--op load,store) in the same run, and a and b the bytes that move for each byte: on a GPU sectors of a request "
      "/ 4, so 1, and 8 for naive stores. On a CPU 1 for both: a line is used whole, if a cache keeps it until its "
      "turn. " +
      text.formula;
  return text;
}

}  // namespace ridge::bench::access
