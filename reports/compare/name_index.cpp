// Open addressing with linear probing.
#include "reports/compare/name_index.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "reports/compare/collect.hpp"

namespace ridge::compare {
namespace {

std::uint32_t code_of(std::string_view id, std::string_view metric) {
  const std::hash<std::string_view> hash;
  const std::size_t wide = hash(id) * 31 + hash(metric);
  return static_cast<std::uint32_t>(wide ^ (wide >> 32U));
}

}  // namespace

// The slot that holds the name, or the free one where it would go.
std::size_t NameIndex::place(const std::vector<Found>& list, std::string_view id, std::string_view metric,
                             std::uint32_t code) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = code & mask;
  for (; slots_[i].position != none; i = (i + 1) & mask) {
    const Found& there = list[slots_[i].position];
    if (slots_[i].code == code && there.metric == metric && there.id == id) break;
  }
  return i;
}

std::optional<std::size_t> NameIndex::find(const std::vector<Found>& list, std::string_view id,
                                           std::string_view metric) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[place(list, id, metric, code_of(id, metric))];
  return slot.position == none ? std::nullopt : std::optional<std::size_t>(slot.position);
}

void NameIndex::add_last(const std::vector<Found>& list) {
  if (2 * list.size() > slots_.size()) grow(std::max<std::size_t>(list.capacity(), 16));
  const Found& last = list.back();
  const std::uint32_t code = code_of(last.id, last.metric);
  slots_[place(list, last.id, last.metric, code)] = {static_cast<std::uint32_t>(list.size() - 1), code};
}

void NameIndex::grow(std::size_t names) {
  std::vector<Slot> old(std::bit_ceil(2 * names));
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.position == none) continue;
    std::size_t i = slot.code & mask;
    while (slots_[i].position != none) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace ridge::compare
