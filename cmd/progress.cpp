// Draws and wipes the progress line.
#include "cmd/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cmd/output.hpp"

namespace ridge::cmd {

std::string progress_line(const std::string& what, std::size_t done, std::size_t planned, double seconds, int width) {
  constexpr int bar_width = 20;
  const double share = planned == 0 ? 0.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(planned));
  std::string line;
  if (done == 0) {
    line = "preparing " + what;
  } else {
    const int filled = static_cast<int>(share * bar_width);
    line = fmt::format("[{}{}] {:3.0f} %", std::string(static_cast<std::size_t>(filled), '#'),
                       std::string(static_cast<std::size_t>(bar_width - filled), '.'), 100 * share);
    if (share >= 0.05) line += fmt::format(", {:.0f} s left", seconds / share * (1 - share));
    line += "  " + what;
  }
  return line.substr(0, static_cast<std::size_t>(std::max(1, width - 1)));
}

void Progress::preparing(const record::Record& record) {
  if (prepared_++ == 0) begun_ = Clock::now();
  draw(record.benchmark + " " + record.point.to_text(), 0, 1);
}

void Progress::sampled(const record::Record& record, std::size_t done, std::size_t planned) {
  if (done == 1) begun_ = Clock::now();
  draw(record.benchmark, done, planned);
}

void Progress::draw(const std::string& what, std::size_t done, std::size_t planned) {
  const auto now = Clock::now();
  if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  write_stderr("\r\x1b[K" + progress_line(what, done, planned, seconds, width()));
}

void Progress::wipe() {
  if (drawn_) write_stderr("\r\x1b[K");
}

}  // namespace ridge::cmd
