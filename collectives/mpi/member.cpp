// What each rank does when it is asked: the same on all of them, rank 0 included.
#include "collectives/mpi/member.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

namespace ridge::collectives::mpi {

Member::Member(const RidgeMpi& api, int rank, int size)
    : communicator_(api, rank, size), device_(device::cpu::make_device()) {}

// Only a failure that leaves no other rank waiting is a reply; one of MPI's ends this rank.
Reply Member::obey(const Command& command) {
  switch (command.ask) {
    case Ask::prepare: {
      Reply reply;
      try {
        prepare(command);
      } catch (const std::exception& error) {
        held_.erase(command.id);
        fmt::format_to_n(reply.error, sizeof reply.error - 1, "{}", error.what());
      }
      return reply;
    }
    case Ask::verify:
      return verify(held_.at(command.id));
    case Ask::run:
      return run(held_.at(command.id), command.repetitions);
    case Ask::flush:
      device_->team(1).flush_caches();
      break;
    case Ask::passages:  // are sent as they are
      break;
    case Ask::drop:
      held_.erase(command.id);
      break;
    case Ask::leave:
      held_.clear();
      break;
  }
  return {};
}

void Member::prepare(const Command& command) {
  Held& held = held_[command.id];
  held.job = command.job;
  std::int64_t bytes = 0;
  for (const std::int64_t each : buffer_bytes(command.job)) bytes += device::borrow_cost(each);
  if (bytes > 0) held.arena = device_->make_arena(bytes);
  held.work = std::make_unique<RankWork>(command.job, communicator_.rank(),
                                         [&](std::int64_t each) { return held.arena->borrow(each).data; });
  held.work->fill(command.job.zero);
}

Reply Member::verify(Held& held) {
  Reply reply;
  if (held.job.collective == Collective::barrier) {
    passages_ = held.work->pass_late(communicator_);
    return reply;
  }
  held.work->fill(false);
  communicator_.barrier();
  held.work->once(communicator_);
  reply.wrong = held.work->wrong();
  reply.checked = held.work->checked();
  held.work->fill(held.job.zero);
  communicator_.barrier();
  return reply;
}

Reply Member::run(Held& held, std::int64_t repetitions) {
  Reply reply;
  communicator_.barrier();
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < repetitions; ++i) held.work->once(communicator_);
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return reply;
}

std::string difference(const std::vector<Hello>& all) {
  for (const Hello& other : all) {
    const Hello& first = all.front();
    if (std::strncmp(other.version, first.version, sizeof other.version) != 0)
      return fmt::format("rank {} on {} is Ridge {}, rank 0 on {} is {}", other.rank, other.host, other.version,
                         first.host, first.version);
    if (other.asked != first.asked)
      return fmt::format("rank {} on {} was started with other arguments than rank 0 on {}", other.rank, other.host,
                         first.host);
  }
  return {};
}

}  // namespace ridge::collectives::mpi
