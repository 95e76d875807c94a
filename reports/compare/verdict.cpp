// The names of verdicts.
#include "reports/compare/series.hpp"

namespace ridge::compare {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "same";
    case Verdict::improved:
      return "improved";
    case Verdict::regressed:
      return "regressed";
    case Verdict::missing:
      return "missing";
    case Verdict::added:
      return "new";
    case Verdict::not_comparable:
      return "not_comparable";
    case Verdict::invalid:
      return "invalid";
    case Verdict::undecided:
      break;
  }
  return "undecided";
}

}  // namespace ridge::compare
