// Parsing, lazy decoding, and allocation of module variables with their initial values.
#include "kernels/ptx/engine/module.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "kernels/ptx/engine/lowering.hpp"

namespace ridge::ptx {

std::shared_ptr<const Module> Module::parse(const std::string& text) {
  return std::shared_ptr<const Module>(new Module(read_syntax(text)));
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> out;
  for (const Function& f : syntax_.functions) {
    if (f.entry && f.defined) out.push_back(f.name);
  }
  return out;
}

bool Module::has_kernel(const std::string& name) const {
  return std::any_of(syntax_.functions.begin(), syntax_.functions.end(),
                     [&](const Function& f) { return f.entry && f.defined && f.name == name; });
}

const Kernel& Module::kernel(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  if (auto it = decoded_.find(name); it != decoded_.end()) return *it->second;
  for (const Function& f : syntax_.functions) {
    if (f.entry && f.defined && f.name == name) return *(decoded_[name] = decode_kernel(syntax_, f, handlers()));
  }
  throw std::out_of_range("no kernel named " + name);
}

KernelInfo Module::info(const std::string& name) const {
  const Kernel& k = kernel(name);
  KernelInfo out;
  out.name = k.name;
  out.parameters = k.parameters;
  out.parameter_bytes = k.parameter_bytes;
  out.static_shared_bytes = k.shared_bytes;
  out.local_bytes = k.local_bytes;
  out.registers = k.register_count;
  out.max_threads = k.max_threads ? std::min(k.max_threads, 1024u) : 1024u;
  out.instructions = static_cast<std::uint32_t>(
      std::count_if(k.sites.begin(), k.sites.end(), [](const Site& s) { return s.counted; }));
  return out;
}

std::vector<std::string> Module::unsupported() const {
  std::vector<std::string> out;
  for (const std::string& name : kernels()) {
    try {
      kernel(name);
    } catch (const ReadError& e) {
      out.emplace_back(e.what());
    }
  }
  return out;
}

Instance::Instance(std::shared_ptr<const Module> module, Memory& memory) : module_(std::move(module)), memory_(memory) {
  for (const Variable& v : module_->variables()) {
    if (v.space != Space::global && v.space != Space::constant) continue;
    if (v.external || symbols_.count(v.name)) continue;
    symbols_[v.name] = {memory_.allocate(v.bytes, v.name, v.space == Space::constant), v.bytes};
    memory_.fill(symbols_[v.name].address, 0, 1, v.bytes);
  }
  for (const Variable& v : module_->variables()) {
    const auto it = symbols_.find(v.name);
    if (it == symbols_.end() || v.initial.empty()) continue;
    std::vector<std::uint8_t> initial = v.initial;
    for (const Variable::Pointer& p : v.pointers) {
      const std::uint64_t address = symbol(p.symbol).address + static_cast<std::uint64_t>(p.addend);
      std::memcpy(initial.data() + p.offset, &address, sizeof address);
    }
    memory_.write(it->second.address, initial.data(), initial.size());
  }
}

Instance::~Instance() {
  for (const auto& [name, at] : symbols_) {
    try {
      memory_.free(at.address);
    } catch (const MemoryError&) {  // freed by somebody else: nothing left to do
    }
  }
}

Instance::Address Instance::symbol(const std::string& name) const {
  const auto it = symbols_.find(name);
  if (it == symbols_.end()) throw std::out_of_range("no variable named " + name);
  return it->second;
}

}  // namespace ridge::ptx
