// Memory nodes of the host: which one an address lies on, and staying on one while memory is taken and used.
#pragma once

#include <sched.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ridge::device {

// "0-2,5" as the kernel writes lists of nodes and CPUs; empty for what is no such list.
std::vector<int> parse_id_list(const std::string& text);

// Nodes that have memory, ascending; empty where the kernel does not tell.
std::vector<int> memory_nodes(const std::string& folder = "/sys/devices/system/node");

// The node with memory that is farthest from `node` by the kernel's distances (ACPI SLIT); nothing when there is no
// other.
std::optional<int> farthest_node(int node, const std::string& folder = "/sys/devices/system/node");

// The node that the page at `address` lies on. The page must have been touched; nothing where the kernel does not tell.
std::optional<int> node_of(const void* address);

// While it lives, the calling thread runs on that node's CPUs, as far as it may use them, and new memory comes from
// there if there is room. Where the kernel refuses, or no node is given, nothing happens.
class OnNode {
 public:
  explicit OnNode(std::optional<int> node);
  ~OnNode();
  OnNode(const OnNode&) = delete;
  OnNode& operator=(const OnNode&) = delete;

 private:
  static constexpr unsigned most_nodes = 1024;
  using Mask = std::array<unsigned long, most_nodes / (8 * sizeof(unsigned long))>;
  bool policy_set_ = false;
  int policy_before_ = 0;
  Mask nodes_before_{};
  bool moved_ = false;
  cpu_set_t before_{};
};

}  // namespace ridge::device
