// Writing to stdout and stderr, and what the terminal behind them can do.
#pragma once

#include <string>

#include "reports/record/status.hpp"

namespace ridge::cmd {

// All of `text` to stdout, which carries the result and nothing else. Exit::usage, said on stderr, when it cannot be
// written; a reader that has closed the pipe has had enough and is no error.
record::Exit write_stdout(const std::string& text);

// Progress and messages. What cannot be written there is dropped.
void write_stderr(const std::string& text);

// UsageError when stdout is closed: found before measuring.
void require_stdout();

bool stdout_is_terminal();
bool stderr_is_terminal();

// Columns: $COLUMNS where it is a number, else the terminal's, else 100. At least 20.
int width();

// Colour is for a terminal, unless NO_COLOR is set to anything or TERM is dumb.
bool colour();

}  // namespace ridge::cmd
