// Turns the syntax of one kernel into operations: names become register offsets, calls are inlined, labels resolved.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/ptx/engine/modifiers.hpp"
#include "kernels/ptx/lanes/handlers.hpp"
#include "kernels/ptx/machine/op.hpp"
#include "kernels/ptx/text/error.hpp"

namespace ridge::ptx {

struct Symbol {
  enum class Kind : u8 { reg, shared, dynamic_shared, local, global, param, function, label, table } kind = Kind::reg;
  Type type = Type::b32;
  u32 offset = 0;    ///< register, or place in shared, local or parameter memory; number of a label or table
  std::string name;  ///< of a global variable
};

/// What a reason for refusal is thrown as inside lowering; the line and kernel are added on the way out.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Lowering {
 public:
  Lowering(const Syntax& syntax, const Function& function, const Handlers& handlers, Kernel& kernel);
  /// Throws ReadError that names the instruction, its line and the kernel.
  void run();

  // For the families of instructions, one file each.
  struct Context {
    Lowering& to;
    const Instruction& in;
    Modifiers m;
    const std::vector<Operand>& o;
  };
  using Family = void (*)(Context&);

  const Handlers& handlers() const { return handlers_; }
  Kernel& kernel() { return kernel_; }
  Site& site() { return kernel_.sites[site_]; }

  /// Appends an operation of the current instruction; null handlers are refused.
  Op& emit(Handler handler);
  Op& emit_flow(Flow flow, Handler handler = nullptr);
  /// The next operations belong to the instruction but are not counted as another one.
  void hide_rest();
  Op& unary(Unary u, Type t, const Operand& d, const Operand& a);
  void in_place(Unary u, Type t, u32 offset);

  u32 new_register(unsigned bytes);
  u32 new_predicate();
  u32 constant(unsigned bytes, u64 value);
  u32 source(const Operand& o, Type t);
  u32 destination(const Operand& o, Type t);
  u32 predicate(const Operand& o);
  /// Like source and destination, of whatever width the register has; `bytes` is that width.
  u32 any_source(const Operand& o, Type t, unsigned& bytes);
  u32 any_destination(const Operand& o, Type t, unsigned& bytes);
  void address(Access& x, const Operand& o, Space space);
  const Symbol& symbol(const std::string& name);
  const Symbol* find(const std::string& name);
  bool is_register(const Operand& o);
  Type register_type(const Operand& o);

  template <class X>
  X& extra() {
    auto owned = std::make_unique<X>();
    X& out = *owned;
    kernel_.extras.push_back(std::move(owned));
    return out;
  }
  Access& new_access();
  u32 new_label();
  void place_label(u32 label) { label_at_[label] = static_cast<s64>(kernel_.code.size()); }
  void call(const Context& c);
  /// Label behind the body being inlined; no_register in the kernel itself.
  s64 return_label() const { return return_labels_.empty() ? -1 : static_cast<s64>(return_labels_.back()); }

 private:
  struct Scope {
    std::unordered_map<std::string, Symbol> names;
    struct Range {
      std::string prefix;
      u64 count;
      Type type;
    };
    std::vector<Range> ranges;
  };

  void body(const std::vector<Statement>& statements);
  void scan_labels(const std::vector<Statement>& statements, std::size_t from);
  void declare(const Variable& v);
  void instruction(const Statement& s);
  void inline_call(const Function& callee, const std::vector<std::string>& results,
                   const std::vector<std::string>& arguments);
  Symbol make_register(Type type);
  u32 local_space(u64 bytes, u64 align);
  u32 shared_space(u64 bytes, u64 align);
  const Symbol* module_symbol(const std::string& name);
  u32 special(const std::string& name, unsigned bytes);
  u32 symbol_address(const Symbol& s, s64 addend, unsigned bytes);
  void finish();

  const Syntax& syntax_;
  const Function& function_;
  const Handlers& handlers_;
  Kernel& kernel_;
  std::vector<Scope> scopes_;
  std::vector<s64> label_at_;
  std::vector<u32> return_labels_;
  std::vector<std::string> inlining_;
  std::map<std::pair<unsigned, u64>, u32> constants_;
  std::map<std::string, u32> specials_;
  u32 site_ = 0, predicate_block_ = 0, predicates_used_ = 16;
  s32 guard_ = no_register;
  bool guard_inverted_ = false;
  int line_ = 0;
};

/// The family that lowers an opcode, or null; and how its instructions are classed.
struct OpcodeEntry {
  Lowering::Family lower;
  InstructionClass kind;
};
const OpcodeEntry* opcode_entry(const std::string& opcode);

/// Decodes one kernel. Throws ReadError.
std::unique_ptr<Kernel> decode_kernel(const Syntax& syntax, const Function& function, const Handlers& handlers);

void need(const Lowering::Context& c, std::size_t operands);
FlopType flop_type(Type t);
/// FLOPs per lane of a scalar operation; packed types do two.
void count_flops(Lowering::Context& c, Type t, u32 per_element);

// One per family; lower_*.cpp.
void lower_add(Lowering::Context&);
void lower_mul(Lowering::Context&);
void lower_mad(Lowering::Context&);
void lower_div(Lowering::Context&);
void lower_carry(Lowering::Context&);
void lower_min_max(Lowering::Context&);
void lower_neg_abs(Lowering::Context&);
void lower_copysign(Lowering::Context&);
void lower_special(Lowering::Context&);
void lower_logic(Lowering::Context&);
void lower_shift(Lowering::Context&);
void lower_bits(Lowering::Context&);
void lower_dot(Lowering::Context&);
void lower_setp(Lowering::Context&);
void lower_selp(Lowering::Context&);
void lower_testp(Lowering::Context&);
void lower_mov(Lowering::Context&);
void lower_cvt(Lowering::Context&);
void lower_cvta(Lowering::Context&);
void lower_isspacep(Lowering::Context&);
void lower_load_store(Lowering::Context&);
void lower_atomic(Lowering::Context&);
void lower_async(Lowering::Context&);
void lower_nothing(Lowering::Context&);
void lower_branch(Lowering::Context&);
void lower_branch_table(Lowering::Context&);
void lower_exit(Lowering::Context&);
void lower_call(Lowering::Context&);
void lower_trap(Lowering::Context&);
void lower_barrier(Lowering::Context&);
void lower_sleep(Lowering::Context&);
void lower_shuffle(Lowering::Context&);
void lower_vote(Lowering::Context&);
void lower_collective(Lowering::Context&);
void lower_ldmatrix(Lowering::Context&);
void lower_mma(Lowering::Context&);
void lower_wmma(Lowering::Context&);

}  // namespace ridge::ptx
