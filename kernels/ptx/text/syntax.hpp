// The syntax tree of a PTX module: what is written, with lines, before anything is decided about running it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/ptx/text/type.hpp"

namespace ridge::ptx {

enum class Space : std::uint8_t { generic, global, constant, param, shared, local, reg };
std::string_view name_of(Space space);

/// Where something stands: the PTX line, and the line of the CUDA source when `.loc` says so (0 = unknown).
struct Location {
  int line = 0;
  int file = 0;  ///< key of Syntax::files
  int source_line = 0;
};

struct Operand {
  enum class Kind : std::uint8_t { name, integer, real, vector, address, list, sink };
  Kind kind = Kind::sink;
  std::string name;            ///< of a register, symbol, label or special register
  std::int64_t value = 0;      ///< integer literal, or the offset added to a name or address
  std::uint64_t bits = 0;      ///< real literal
  unsigned real_bytes = 0;     ///< width in which `bits` is written
  bool inverted = false;       ///< written with '!'
  bool negative = false;       ///< real literal written with '-'
  std::vector<Operand> parts;  ///< elements of a vector or list; the base of an address; the second of `p|q`
};

struct Instruction {
  std::string text;                    ///< "add.rn.f32", for messages
  std::string opcode;                  ///< "add"
  std::vector<std::string> modifiers;  ///< "rn", "f32"
  std::string guard;                   ///< predicate register, empty without one
  bool guard_inverted = false;
  std::vector<Operand> operands;
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  std::uint64_t bytes = 0;  ///< 0 for an array of open size
  std::uint64_t align = 1;
  std::uint64_t count = 0;  ///< of `.reg .f32 %f<count>`; 0 for a single name
  bool external = false;
  std::vector<std::uint8_t> initial;  ///< first bytes of the initial value; the rest is zero
  struct Pointer {
    std::uint64_t offset;  ///< where in `initial` an address goes
    std::string symbol;
    std::int64_t addend;
  };
  std::vector<Pointer> pointers;
};

struct Statement {
  enum class Kind : std::uint8_t { instruction, label, variable, targets, open, close };
  Kind kind = Kind::instruction;
  Location where;
  std::string name;                  ///< of a label or a table of targets
  std::vector<std::string> targets;  ///< labels of a `.branchtargets`
  Instruction instruction;
  Variable variable;
};

struct Parameter {
  std::string name;
  Type type = Type::b32;
  std::uint32_t bytes = 0, align = 1, offset = 0;
};

struct Function {
  std::string name;
  bool entry = false, defined = false;
  int line = 0;
  std::vector<Parameter> parameters, results;
  std::uint32_t max_threads = 0;          ///< product of `.maxntid` or `.reqntid`, 0 = unlimited
  std::uint32_t required[3] = {0, 0, 0};  ///< `.reqntid`
  std::vector<Statement> body;
};

struct Syntax {
  std::string version, target;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<int, std::string> files;
  std::map<std::string, std::string> aliases;
};

/// Reads a whole module. Throws ReadError; never anything else, whatever the text.
Syntax read_syntax(const std::string& text);

}  // namespace ridge::ptx
