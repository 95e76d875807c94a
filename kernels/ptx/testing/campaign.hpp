// All mutants of some kernels, each judged, told and checked: what every test of wrong kernels does.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/testing/mutants.hpp"

namespace ridge::ptx::testing {

// All of them take minutes under a sanitizer, which looks for other mistakes than theirs: there it is each 25th.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int every = 25;
#else
inline constexpr int every = 1;
#endif

struct Subject {
  std::string kernel;
  std::string_view file;  // the PTX that holds it
  // How a mutant of it (the file's PTX) was killed; empty: it was not.
  std::function<std::string(const std::string& ptx)> verdict;
  std::vector<std::string> needs = {};  // the file's kernels that the verdict needs; empty: all
};

// Mutants of a kernel that survive since they do the same, at so many places; why, says a comment where they are
// listed.
struct Same {
  std::string kernel;
  std::string mistake;
  int places;
};

struct Campaign {
  std::map<std::string, int> killed_by;
  std::map<std::pair<std::string, std::string>, int> survived;  // of (kernel, mistake)
};

// Judges each mutation at every place of every subject and prints what became of it, and the kill count. `most`: of the
// places of one mistake in one kernel so many are tried, spread over all, where loops are unrolled to hundreds alike.
inline Campaign run_campaign(const std::vector<Subject>& subjects, std::span<const Mutation> mutations,
                             std::size_t most = SIZE_MAX) {
  Campaign result;
  int seen = 0;
  int made = 0;
  int killed = 0;
  for (const Subject& subject : subjects) {
    const std::string file = subject.needs.empty() ? std::string(subject.file) : only(subject.file, subject.needs);
    const KernelText text = find_kernel(file, subject.kernel);
    const std::string of_the_right_one = subject.verdict(file);
    CAPTURE(subject.kernel, of_the_right_one);
    REQUIRE(of_the_right_one.empty());  // or nothing below says anything
    for (const Mutation& mutation : mutations) {
      std::map<std::string, int> here;
      const auto places = mutants(text, mutation);
      const std::size_t step = places.size() <= most ? 1 : (places.size() + most - 1) / most;
      for (std::size_t place = 0; place < places.size(); place += step) {
        const auto& [ptx, line] = places[place];
        if (seen++ % every != 0) continue;
        ++made;
        const std::string how = subject.verdict(ptx);
        ++here[how.empty() ? "SURVIVED" : how];
        if (how.empty()) {
          ++result.survived[{subject.kernel, mutation.mistake}];
          std::cout << subject.kernel << ": " << mutation.mistake << " survives in " << line << '\n';
        } else {
          ++result.killed_by[how];
          ++killed;
        }
      }
      for (const auto& [how, times] : here)
        std::cout << subject.kernel << ": " << mutation.mistake << ": " << times << " × " << how << '\n';
    }
  }
  for (const auto& [how, times] : result.killed_by) std::cout << times << " killed by " << how << '\n';
  std::cout << killed << " of " << made << " mutants killed\n";
  return result;
}

// Those that survived must be those that do the same, no fewer and no more; and each way of killing must have been met,
// or it looks for nothing (of a sample only the first: the others may be too rare).
inline void check_campaign(Campaign result, std::span<const Same> same, std::initializer_list<const char*> ways) {
  for (const Same& s : same) {
    INFO(s.kernel << ": " << s.mistake);
    if (every == 1) CHECK(result.survived[{s.kernel, s.mistake}] == s.places);
    result.survived.erase({s.kernel, s.mistake});
  }
  for (const auto& [mutant, places] : result.survived) {
    CAPTURE(mutant.first, mutant.second, places);
    CHECK(places == 0);
  }
  for (const char* way : ways) {
    CAPTURE(way);
    if (every == 1 || way == *ways.begin()) CHECK(result.killed_by[way] > 0);
  }
}

}  // namespace ridge::ptx::testing
