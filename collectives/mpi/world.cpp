// Joining, commands, and giving up.
#include "collectives/mpi/world.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>

#include "collectives/family/trail.hpp"
#include "kernels/device/cpu/system.hpp"

namespace ridge::collectives::mpi {
namespace {

using bench::collective::host_name;

constexpr double grace = 0.4;  // seconds from a signal until what runs is given up

// FNV-1a.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

// Of the kernel that runs and the space of process numbers in it.
std::uint64_t processes_of_host() {
  std::string text;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
  struct stat space {};
  if (::stat("/proc/self/ns/pid", &space) == 0) text += std::to_string(space.st_ino);
  return hash_of(text);
}

// A process that has ended may stay on as a name until its parent asks for it.
bool is_gone(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return ::kill(static_cast<pid_t>(pid), 0) != 0;
  const auto name_end = text.rfind(')');
  const char state = name_end == std::string::npos || name_end + 2 >= text.size() ? '?' : text[name_end + 2];
  return state == 'Z' || state == 'X';
}

Hello about_me(const Terms& terms, int rank, const std::vector<int>& cpus) {
  Hello hello;
  fmt::format_to_n(hello.version, sizeof hello.version - 1, "{}", terms.version);
  fmt::format_to_n(hello.host, sizeof hello.host - 1, "{}", host_name());
  hello.asked = hash_of(terms.asked);
  hello.processes = processes_of_host();
  hello.pid = ::getpid();
  hello.rank = rank;
  hello.cpus = static_cast<std::int32_t>(cpus.size());
  hello.cpu = cpus.size() == 1 ? cpus.front() : -1;
  if (terms.gpu) {
    fmt::format_to_n(hello.gpu, sizeof hello.gpu - 1, "{}", terms.gpu->name);
    fmt::format_to_n(hello.uuid, sizeof hello.uuid - 1, "{}", terms.gpu->uuid);
    fmt::format_to_n(hello.library, sizeof hello.library - 1, "{}", terms.gpu->library);
    hello.gpus = terms.gpu->gpus;
  }
  return hello;
}

}  // namespace

World::World(Terms terms) : terms_(std::move(terms)) {}

World::~World() {
  try {
    leave();
  } catch (const std::exception&) {  // nobody is left to tell
  }
}

std::string World::line(const std::string& phase, const std::string& what) const {
  return fmt::format("{}: rank {} of {}: {}: {}", host_name(), terms_.launch.rank, terms_.launch.size, phase, what);
}

std::optional<std::string> World::gone() const {
  for (const Hello& other : ranks_)
    if (other.processes == ranks_[static_cast<std::size_t>(terms_.launch.rank)].processes && is_gone(other.pid))
      return fmt::format("rank {} on {} (process {}) is gone", other.rank, other.host, other.pid);
  return std::nullopt;
}

void World::in_worker(const std::string& phase, double limit, const std::function<void()>& task) {
  if (!trouble_.empty()) throw device::Error(trouble_);
  double signalled = -1;
  const auto trouble = [&](double waited) -> std::optional<std::string> {
    if (!leaving_)
      if (auto who = gone()) return who;
    if (terms_.interrupted && terms_.interrupted()) {
      if (signalled < 0) signalled = waited;
      if (waited - signalled > grace) return "ended by a signal";
    }
    if (waited > limit) return fmt::format("no answer within {:g} s", limit);
    return std::nullopt;
  };
  try {
    if (const auto said = worker_.run(task, trouble)) trouble_ = line(phase, *said);
  } catch (const device::Absent&) {
    throw;
  } catch (const std::exception& error) {
    trouble_ = line(phase, error.what());
  }
  if (!trouble_.empty()) throw device::Error(trouble_);
}

void World::join() {
  if (joined_) return;
  if (absent_) throw device::Absent(trouble_);
  try {
    in_worker("join", terms_.join_seconds, [this] { enter(); });
  } catch (const device::Absent& absent) {
    absent_ = true;
    trouble_ = line("join", absent.what());
    throw device::Absent(trouble_);
  }
  joined_ = true;
}

void World::enter() {
  opened_ = terms_.open();
  const RidgeMpi& api = *opened_.api;
  require("Init", api.init());
  std::int32_t rank = 0;
  std::int32_t size = 0;
  require("Comm_rank", api.rank(&rank, &size));
  // Nothing is started then; leaving in order keeps the launcher from blaming it on a crash.
  const auto refuse = [&](const std::string& why) {
    static_cast<void>(api.finalize());
    throw device::Error(why);
  };
  if (size != terms_.launch.size)
    refuse(fmt::format(
        "the launcher started {} ranks ({}), but in {} this process is one of {}: launcher and library are not "
        "of the same MPI",
        terms_.launch.size, terms_.launch.told_by, opened_.version, size));
  terms_.launch.rank = rank;
  const auto system = device::cpu::System::real();
  std::vector<Hello> all(static_cast<std::size_t>(size));
  const auto exchange_hellos = [&](const Hello& mine) {
    require("Gather", api.gather(&mine, sizeof mine, all.data()));
    // As 16-bit numbers, which every MPI moves as they are.
    require("Bcast", api.broadcast(all.data(), static_cast<std::int64_t>(sizeof(Hello)) * size / 2,
                                   static_cast<std::int32_t>(reduce::Type::f16)));
  };
  static_assert(sizeof(Hello) % 2 == 0 && sizeof(Command) % 2 == 0);
  exchange_hellos(about_me(terms_, rank, system.affinity()));
  if (const std::string differs = difference(all); !differs.empty()) {
    differs_ = true;
    refuse(differs);
  }
  if (!terms_.gpu) bind(all);  // threads that NCCL starts would be bound with it
  exchange_hellos(about_me(terms_, rank, system.affinity()));
  ranks_ = all;
  member_ = std::make_unique<Member>(
      api, rank, size, terms_.gpu && terms_.gpu->shares ? terms_.gpu->shares(api, rank, size) : MakeShare{});
}

// A launcher that binds nothing leaves ranks to be moved about: each takes a CPU of its own then, where there are
// enough.
void World::bind(const std::vector<Hello>& all) {
  const Hello& me = all[static_cast<std::size_t>(terms_.launch.rank)];
  int before_me = 0;
  int here = 0;
  for (const Hello& other : all) {
    if (other.processes != me.processes) continue;
    if (other.cpus != me.cpus) return;  // somebody has thought about it
    ++here;
    before_me += other.rank < me.rank ? 1 : 0;
  }
  const auto system = device::cpu::System::real();
  const auto cpus = system.affinity();
  if (cpus.size() > 1 && here <= static_cast<int>(cpus.size()))
    system.bind({cpus[static_cast<std::size_t>(before_me)]});
}

bool World::oversubscribed() const {
  std::map<std::uint64_t, std::map<std::int32_t, int>> bound;  // host → CPU → ranks bound to it
  std::map<std::uint64_t, int> here;
  for (const Hello& each : ranks_) {
    ++here[each.processes];
    if (each.cpu >= 0 && ++bound[each.processes][each.cpu] > 1) return true;
  }
  return std::any_of(ranks_.begin(), ranks_.end(),
                     [&](const Hello& each) { return each.cpu < 0 && each.cpus < here.at(each.processes); });
}

template <class T>
std::vector<T> World::gather(const T& mine) {
  std::vector<T> all(ranks_.size());
  require("Gather", opened_.api->gather(&mine, sizeof mine, all.data()));
  return all;
}

std::vector<Reply> World::command(const Command& command, const std::string& phase) {
  std::vector<Reply> replies;
  in_worker(phase, terms_.step_seconds, [&] {
    Command sent = command;
    require("Bcast", opened_.api->broadcast(&sent, sizeof sent / 2, static_cast<std::int32_t>(reduce::Type::f16)));
    replies = gather(member_->obey(sent));
  });
  for (std::size_t r = 0; r < replies.size(); ++r)
    if (replies[r].error[0] != 0)
      throw device::Error(fmt::format("{}: rank {} of {}: {}: {}", ranks_[r].host, r, size(), phase, replies[r].error));
  return replies;
}

std::vector<std::vector<Passage>> World::passages(const std::string& phase) {
  std::vector<std::vector<Passage>> by_rank(ranks_.size());
  const std::size_t each = member_->passages().size();
  std::vector<Passage> all(each * ranks_.size());
  Command ask;
  ask.ask = Ask::passages;
  in_worker(phase, terms_.step_seconds, [&] {
    require("Bcast", opened_.api->broadcast(&ask, sizeof ask / 2, static_cast<std::int32_t>(reduce::Type::f16)));
    require("Gather", opened_.api->gather(member_->passages().data(), static_cast<std::int64_t>(each * sizeof(Passage)),
                                          all.data()));
  });
  for (std::size_t i = 0; i < all.size(); ++i) by_rank[i / each].push_back(all[i]);
  return by_rank;
}

void World::leave() {
  if (!joined_ || !trouble_.empty()) return;
  leaving_ = true;
  in_worker("leave", terms_.join_seconds, [this] {
    Command last;
    require("Bcast", opened_.api->broadcast(&last, sizeof last / 2, static_cast<std::int32_t>(reduce::Type::f16)));
    gather(member_->obey(last));
    member_.reset();
    require("Finalize", opened_.api->finalize());
  });
  joined_ = false;
}

std::string World::follow() {
  constexpr double for_ever = 1e18;
  constexpr double after_rank_0 = 3;  // who is to tell first
  terms_.join_seconds += after_rank_0;
  try {
    join();
    in_worker("follow", for_ever, [this] {
      for (;;) {
        Command command;
        require("Bcast",
                opened_.api->broadcast(&command, sizeof command / 2, static_cast<std::int32_t>(reduce::Type::f16)));
        if (command.ask == Ask::passages) {
          const auto& mine = member_->passages();
          require("Gather",
                  opened_.api->gather(mine.data(), static_cast<std::int64_t>(mine.size() * sizeof(Passage)), nullptr));
          continue;
        }
        if (command.ask == Ask::leave) leaving_ = true;
        gather(member_->obey(command));
        if (command.ask == Ask::leave) break;
      }
      member_.reset();
      require("Finalize", opened_.api->finalize());
    });
  } catch (const std::exception&) {  // in trouble_
  }
  joined_ = false;
  return trouble_;
}

}  // namespace ridge::collectives::mpi
