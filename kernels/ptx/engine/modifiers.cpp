// Bookkeeping of which modifiers were understood.
#include "kernels/ptx/engine/modifiers.hpp"

#include <charconv>
#include <stdexcept>

namespace ridge::ptx {

Modifiers::Modifiers(const std::vector<std::string>& all) : names_(all), used_(all.size()) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (auto type = type_named(names_[i])) {
      types_.push_back(*type);
      used_[i] = true;
    }
  }
}

bool Modifiers::take(std::string_view name) {
  bool found = false;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] != name) continue;
    used_[i] = true;
    found = true;
  }
  return found;
}

void Modifiers::ignore(std::initializer_list<std::string_view> names) {
  for (std::string_view name : names) take(name);
}

int Modifiers::take_one_of(std::initializer_list<std::string_view> names) {
  int at = 0;
  for (std::string_view name : names) {
    if (take(name)) return at;
    ++at;
  }
  return -1;
}

std::optional<Rounding> Modifiers::take_rounding() {
  switch (take_one_of({"rn", "rz", "rm", "rp", "rna"})) {
    case 0:
      return Rounding::nearest;
    case 1:
      return Rounding::zero;
    case 2:
      return Rounding::down;
    case 3:
      return Rounding::up;
    case 4:
      return Rounding::away;
    default:
      return std::nullopt;
  }
}

Space Modifiers::take_space() {
  switch (take_one_of({"global", "shared", "shared::cta", "local", "const", "param", "param::entry", "param::func"})) {
    case 0:
      return Space::global;
    case 1:
    case 2:
      return Space::shared;
    case 3:
      return Space::local;
    case 4:
      return Space::constant;
    case 5:
    case 6:
    case 7:
      return Space::param;
    default:
      return Space::generic;
  }
}

bool Modifiers::take_memory_semantics() {
  ignore({"nc",
          "ca",
          "cg",
          "cs",
          "lu",
          "cv",
          "wb",
          "wt",
          "weak",
          "cta",
          "gpu",
          "sys",
          "L1::evict_normal",
          "L1::evict_unchanged",
          "L1::evict_first",
          "L1::evict_last",
          "L1::no_allocate",
          "L2::evict_first",
          "L2::evict_last",
          "L2::evict_normal",
          "L2::64B",
          "L2::128B",
          "L2::256B"});
  return take_one_of({"volatile", "relaxed", "acquire", "release", "acq_rel"}) >= 0;
}

bool Modifiers::take_shape(int& m, int& n, int& k) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::string& s = names_[i];
    const std::size_t at_n = s.find('n'), at_k = s.find('k');
    if (s.size() < 6 || s[0] != 'm' || at_n == std::string::npos || at_k == std::string::npos || at_n > at_k) continue;
    const char* p = s.data();
    auto number = [&](std::size_t from, std::size_t to, int& out) {
      const auto r = std::from_chars(p + from, p + to, out);
      return r.ec == std::errc{} && r.ptr == p + to && out > 0 && out <= 256;
    };
    if (!number(1, at_n, m) || !number(at_n + 1, at_k, n) || !number(at_k + 1, s.size(), k)) continue;
    used_[i] = true;
    return true;
  }
  return false;
}

Type Modifiers::type() const {
  if (types_.empty()) throw std::invalid_argument("no type");
  return types_.back();
}

std::string Modifiers::unused() const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!used_[i]) return names_[i];
  }
  return {};
}

}  // namespace ridge::ptx
