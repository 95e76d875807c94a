// A star of TCP connections: what all are to know goes through rank 0.
#include "collectives/mpi/sockets.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "kernels/reduce/combine.hpp"

namespace ridge::collectives::mpi {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{60};             // for rank 0 to listen; who waits longer gives up otherwise
constexpr std::uint64_t greeting = 0x5249444745303031U;  // "RIDGE001"

struct Greeting {
  std::uint64_t magic = greeting;
  std::int32_t rank = 0;
  std::int32_t size = 0;
};

class Socket {
 public:
  explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  [[nodiscard]] int get() const { return descriptor_; }

  [[nodiscard]] bool send(const void* data, std::size_t bytes) const {
    const auto* from = static_cast<const char*>(data);
    while (bytes > 0) {
      const ssize_t done = ::send(descriptor_, from, bytes, MSG_NOSIGNAL);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      from += done;
      bytes -= static_cast<std::size_t>(done);
    }
    return true;
  }
  [[nodiscard]] bool receive(void* data, std::size_t bytes) const {
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
      const ssize_t done = ::recv(descriptor_, to, bytes, 0);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      to += done;
      bytes -= static_cast<std::size_t>(done);
    }
    return true;
  }
  // Words are short, and each is waited for.
  void at_once() const {
    const int yes = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }

 private:
  int descriptor_;
};

struct World {
  Launch launch;
  std::map<int, Socket> to;  // by rank; rank 0 has all others, they have it
  std::string said;
};
World& world() {
  static World one;
  return one;
}

const char* say(std::string text) {
  world().said = std::move(text);
  return world().said.c_str();
}

struct Addresses {
  explicit Addresses(const Launch& launch) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    error = ::getaddrinfo(launch.address.c_str(), std::to_string(port_of_ranks(launch)).c_str(), &hints, &first);
  }
  ~Addresses() {
    if (first != nullptr) ::freeaddrinfo(first);
  }
  Addresses(const Addresses&) = delete;
  Addresses& operator=(const Addresses&) = delete;
  addrinfo* first = nullptr;
  int error = 0;
};

std::string place(const Launch& launch) {
  return fmt::format("{} port {} (MASTER_ADDR, MASTER_PORT + 1)", launch.address, port_of_ranks(launch));
}

// Who does not greet as a rank of this world is not one.
const char* welcome_all(const addrinfo& where) {
  const Launch& launch = world().launch;
  const Socket listening(::socket(where.ai_family, where.ai_socktype | SOCK_CLOEXEC, where.ai_protocol));
  const int yes = 1;
  ::setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(listening.get(), where.ai_addr, where.ai_addrlen) != 0 || ::listen(listening.get(), launch.size) != 0)
    return say(fmt::format("rank 0 cannot listen at {}: {}", place(launch), std::strerror(errno)));
  while (static_cast<int>(world().to.size()) < launch.size - 1) {
    Socket guest(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (guest.get() < 0) continue;
    const timeval limit{1, 0};
    ::setsockopt(guest.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    Greeting met;
    const bool fits = guest.receive(&met, sizeof met) && met.magic == greeting && met.size == launch.size &&
                      met.rank > 0 && met.rank < launch.size && !world().to.contains(met.rank);
    if (!fits || !guest.send(&met, sizeof met)) continue;
    const timeval none{0, 0};
    ::setsockopt(guest.get(), SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none);
    guest.at_once();
    world().to[met.rank] = std::move(guest);
  }
  return nullptr;
}

const char* go_to_rank_0(const Addresses& addresses) {
  const Launch& launch = world().launch;
  const auto begun = Clock::now();
  int error = 0;
  while (Clock::now() - begun < patience) {
    for (const addrinfo* each = addresses.first; each != nullptr; each = each->ai_next) {
      Socket mine(::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol));
      if (mine.get() < 0 || ::connect(mine.get(), each->ai_addr, each->ai_addrlen) != 0) {
        error = errno;
        continue;
      }
      mine.at_once();
      Greeting met;
      met.rank = launch.rank;
      met.size = launch.size;
      if (!mine.send(&met, sizeof met) || !mine.receive(&met, sizeof met) || met.magic != greeting)
        return say(fmt::format("whoever listens at {} does not take this process for rank {} of {}", place(launch),
                               launch.rank, launch.size));
      world().to[0] = std::move(mine);
      return nullptr;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return say(fmt::format("rank 0 does not listen at {}: {}", place(launch), std::strerror(error)));
}

const char* init() {
  world().to.clear();
  const Addresses addresses(world().launch);
  if (addresses.first == nullptr)
    return say(fmt::format("{}: {}", place(world().launch), ::gai_strerror(addresses.error)));
  return world().launch.rank == 0 ? welcome_all(*addresses.first) : go_to_rank_0(addresses);
}

const char* library() {
  return "TCP, by torchrun's variables";
}

const char* finalize() {
  world().to.clear();
  return nullptr;
}

const char* rank(std::int32_t* rank, std::int32_t* size) {
  *rank = world().launch.rank;
  *size = world().launch.size;
  return nullptr;
}

const char* gone(int rank) {
  return say(fmt::format("rank {} has closed its connection", rank));
}

std::size_t bytes_of(std::int64_t count, std::int32_t type) {
  return static_cast<std::size_t>(count * reduce::bytes_of(static_cast<reduce::Type>(type)));
}

const char* broadcast(void* data, std::int64_t count, std::int32_t type) {
  for (const auto& [other, socket] : world().to) {
    const bool done = world().launch.rank == 0 ? socket.send(data, bytes_of(count, type))
                                               : socket.receive(data, bytes_of(count, type));
    if (!done) return gone(other);
  }
  return nullptr;
}

const char* gather(const void* mine, std::int64_t bytes, void* all) {
  const auto each = static_cast<std::size_t>(bytes);
  if (world().launch.rank == 0) std::memcpy(all, mine, each);
  for (const auto& [other, socket] : world().to) {
    const bool done = world().launch.rank == 0
                          ? socket.receive(static_cast<char*>(all) + static_cast<std::size_t>(other) * each, each)
                          : socket.send(mine, each);
    if (!done) return gone(other);
  }
  return nullptr;
}

const char* barrier() {
  char here = 0;
  std::string all(static_cast<std::size_t>(world().launch.size), 0);
  const char* const said = gather(&here, 1, all.data());
  std::uint16_t word = 0;
  return said != nullptr ? said : broadcast(&word, 1, static_cast<std::int32_t>(reduce::Type::f16));
}

constexpr const char* not_offered = "ranks that meet by TCP agree there, and move no data";

}  // namespace

int port_of_ranks(const Launch& launch) {
  constexpr int last = 65535;
  return launch.port < last ? launch.port + 1 : launch.port - 1;
}

Opened open_sockets(const Launch& launch) {
  world().launch = launch;
  static const RidgeMpi table{
      ridge_mpi_version,
      library,
      init,
      finalize,
      rank,
      barrier,
      broadcast,
      gather,
      [](auto...) { return not_offered; },
      [](auto...) { return not_offered; },
      [](auto...) { return not_offered; },
      [](auto...) { return not_offered; },
      [](auto...) { return not_offered; },
      [](auto...) { return not_offered; },
  };
  return {&table, library()};
}

}  // namespace ridge::collectives::mpi
