// Asking the kernel by its files and by system calls: libnuma is one more library for four calls.
#include "kernels/device/numa.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>

namespace ridge::device {
namespace {

// From linux/mempolicy.h, which not every system has installed.
constexpr int policy_preferred = 1;
constexpr unsigned long flag_node = 1;
constexpr unsigned long flag_address = 2;

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::optional<int> number(const std::string& text) {
  int value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string folder_of(const std::string& folder, int node) {
  return folder + "/node" + std::to_string(node);
}

}  // namespace

const NodeSystem& node_system() {
  static const NodeSystem system{
      "/sys/devices/system/node",
      [](int* mode, unsigned long* nodes, unsigned long most, const void* address, unsigned long flags) {
        return ::syscall(SYS_get_mempolicy, mode, nodes, most, address, flags);
      },
      [](int mode, const unsigned long* nodes, unsigned long most) {
        return ::syscall(SYS_set_mempolicy, mode, nodes, most);
      }};
  return system;
}

std::vector<int> parse_id_list(const std::string& text) {
  std::vector<int> ids;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto dash = part.find('-');
    const auto first = number(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > 1 << 20) return {};
    for (int id = *first; id <= *last; ++id) ids.push_back(id);
  }
  return ids;
}

std::vector<int> memory_nodes(const std::string& folder) {
  return parse_id_list(first_line(folder + "/has_memory"));
}

std::optional<int> farthest_node(int node, const std::string& folder) {
  std::istringstream distances(first_line(folder_of(folder, node) + "/distance"));
  // One distance for each node that is online, in their order.
  std::optional<int> farthest;
  int most = 0;
  const auto with_memory = memory_nodes(folder);
  for (const int other : parse_id_list(first_line(folder + "/online"))) {
    int distance = 0;
    if (!(distances >> distance)) break;
    bool has_memory = false;
    for (const int each : with_memory) has_memory = has_memory || each == other;
    if (other == node || !has_memory || distance <= most) continue;
    most = distance;
    farthest = other;
  }
  return farthest;
}

std::optional<int> node_of(const void* address, const NodeSystem& system) {
  int node = -1;
  const long status = system.get_policy(&node, nullptr, 0UL, address, flag_node | flag_address);
  return status == 0 && node >= 0 ? std::optional(node) : std::nullopt;
}

OnNode::OnNode(std::optional<int> node, const NodeSystem& system) : system_(system) {
  if (!node || *node < 0 || *node >= static_cast<int>(most_nodes)) return;
  const auto index = static_cast<unsigned>(*node);
  Mask nodes{};
  nodes[index / (8 * sizeof(unsigned long))] = 1UL << index % (8 * sizeof(unsigned long));
  policy_set_ = system.get_policy(&policy_before_, nodes_before_.data(), most_nodes, nullptr, 0UL) == 0 &&
                system.set_policy(policy_preferred, nodes.data(), most_nodes) == 0;
  if (::sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t there;
  CPU_ZERO(&there);
  for (const int cpu : parse_id_list(first_line(folder_of(system.folder, *node) + "/cpulist")))
    if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &there);
  if (CPU_COUNT(&there) == 0 || CPU_EQUAL(&there, &before_)) return;
  moved_ = ::sched_setaffinity(0, sizeof there, &there) == 0;
}

OnNode::~OnNode() {
  if (policy_set_) system_.set_policy(policy_before_, nodes_before_.data(), most_nodes);
  if (moved_) ::sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace ridge::device
