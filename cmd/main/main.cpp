// The entry point of the one binary.
#include "cmd/app.hpp"

int main(int argc, char** argv) {
  return ridge::cmd::main(argc, argv);
}
