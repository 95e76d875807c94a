// The application: subcommands, help, and the exit status of a whole invocation.
#pragma once

namespace ridge::cmd {

// Parses, runs, prints; never throws. The exit status is one of record::Exit.
int main(int argc, char** argv);

}  // namespace ridge::cmd
