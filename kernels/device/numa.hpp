// Memory nodes of the host: which one an address lies on, and staying on one while memory is taken and used.
#pragma once

#include <sched.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ridge::device {

// How the kernel is asked; tests put a machine of other nodes in its place.
struct NodeSystem {
  std::string folder;                                                                               // of the nodes
  std::function<long(int*, unsigned long*, unsigned long, const void*, unsigned long)> get_policy;  // get_mempolicy(2)
  std::function<long(int, const unsigned long*, unsigned long)> set_policy;                         // set_mempolicy(2)
};
const NodeSystem& node_system();

// "0-2,5" as the kernel writes lists of nodes and CPUs; empty for what is no such list.
std::vector<int> parse_id_list(const std::string& text);

// Nodes that have memory, ascending; empty where the kernel does not tell.
std::vector<int> memory_nodes(const std::string& folder = node_system().folder);

// The node with memory that is farthest from `node` by the kernel's distances (ACPI SLIT); nothing when there is no
// other.
std::optional<int> farthest_node(int node, const std::string& folder = node_system().folder);

// The node that the page at `address` lies on. The page must have been touched; nothing where the kernel does not tell.
std::optional<int> node_of(const void* address, const NodeSystem& system = node_system());

// While it lives, the calling thread runs on that node's CPUs, as far as it may use them, and new memory comes from
// there if there is room. Where the kernel refuses, or no node is given, nothing happens.
class OnNode {
 public:
  // `system` must live longer.
  explicit OnNode(std::optional<int> node, const NodeSystem& system = node_system());
  ~OnNode();
  OnNode(const OnNode&) = delete;
  OnNode& operator=(const OnNode&) = delete;

 private:
  static constexpr unsigned most_nodes = 1024;
  using Mask = std::array<unsigned long, most_nodes / (8 * sizeof(unsigned long))>;
  const NodeSystem& system_;
  bool policy_set_ = false;
  int policy_before_ = 0;
  Mask nodes_before_{};
  bool moved_ = false;
  cpu_set_t before_{};
};

}  // namespace ridge::device
