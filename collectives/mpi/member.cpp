// What each rank does when it is asked: the same on all of them, rank 0 included.
#include "collectives/mpi/member.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <utility>

namespace ridge::collectives::mpi {

namespace {

class ShareOnCpu final : public Share {
 public:
  ShareOnCpu(device::cpu::Device& device, Communicator& communicator, const Job& job)
      : device_(device), communicator_(communicator), job_(job) {
    std::int64_t bytes = 0;
    for (const std::int64_t each : buffer_bytes(job)) bytes += device::borrow_cost(each);
    if (bytes > 0) arena_ = device.make_arena(bytes);
    work_ = std::make_unique<RankWork>(job, communicator.rank(),
                                       [this](std::int64_t each) { return arena_->borrow(each).data; });
    work_->fill(job.zero);
  }

  Reply verify() override {
    Reply reply;
    work_->fill(false);
    communicator_.barrier();
    work_->once(communicator_);
    reply.wrong = work_->wrong();
    reply.checked = work_->checked();
    reply.joining = work_->joining(communicator_).value_or(0);
    work_->fill(job_.zero);
    communicator_.barrier();
    return reply;
  }

  double run(std::int64_t repetitions) override {
    communicator_.barrier();
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < repetitions; ++i) work_->once(communicator_);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  std::vector<Passage> pass(std::int64_t n) override { return work_->pass(communicator_, n); }
  std::vector<Passage> pass_late() override { return work_->pass_late(communicator_); }
  void flush() override { device_.team(1).flush_caches(); }

 private:
  device::cpu::Device& device_;
  Communicator& communicator_;
  Job job_;
  std::unique_ptr<device::Arena> arena_;
  std::unique_ptr<RankWork> work_;
};

}  // namespace

Member::Member(const RidgeMpi& api, int rank, int size, MakeShare make)
    : communicator_(api, rank, size), device_(device::cpu::make_device()), make_(std::move(make)) {
  if (!make_) make_ = [this](const Job& job) { return std::make_unique<ShareOnCpu>(*device_, communicator_, job); };
}

Reply Member::obey(const Command& command) {
  Reply reply;
  switch (command.ask) {
    case Ask::prepare:
      return prepare(command);
    case Ask::verify:
      if (command.job.collective != Collective::barrier) return held_.at(command.id)->verify();
      passages_ = held_.at(command.id)->pass_late();
      break;
    case Ask::pass:
      passages_ = held_.at(command.id)->pass(command.repetitions);
      break;
    case Ask::run:
      reply.seconds = held_.at(command.id)->run(command.repetitions);
      break;
    case Ask::flush:
      held_.at(command.id)->flush();
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
  return reply;
}

// Only a failure that leaves no other rank waiting is a reply; one of MPI's ends this rank.
Reply Member::prepare(const Command& command) {
  Reply reply;
  try {
    held_[command.id] = make_(command.job);
  } catch (const std::exception& error) {
    held_.erase(command.id);
    fmt::format_to_n(reply.error, sizeof reply.error - 1, "{}", error.what());
  }
  return reply;
}

namespace {

bool is(const char* mine, const char* others) {
  return std::strcmp(mine, others) == 0;
}

// Which GPUs of a host are taken how often.
std::string gpus_taken_twice(const std::vector<Hello>& all) {
  for (const Hello& first : all) {
    int here = 0;
    for (const Hello& other : all) here += other.processes == first.processes ? 1 : 0;
    for (const Hello& other : all) {
      if (other.rank <= first.rank || !is(other.uuid, first.uuid)) continue;
      if (first.processes == other.processes && here > first.gpus)
        return fmt::format(
            "more ranks than GPUs: {} ranks on {}, which has {}: rank {} and rank {} would share {} ({})", here,
            first.host, first.gpus, first.rank, other.rank, first.gpu, first.uuid);
      return fmt::format("two ranks on one GPU: rank {} and rank {} on {} both have {} ({})", first.rank, other.rank,
                         other.host, first.gpu, first.uuid);
    }
  }
  return {};
}

}  // namespace

std::string difference(const std::vector<Hello>& all) {
  for (const Hello& other : all) {
    const Hello& first = all.front();
    if (std::strncmp(other.version, first.version, sizeof other.version) != 0)
      return fmt::format("rank {} on {} is Ridge {}, rank 0 on {} is {}", other.rank, other.host, other.version,
                         first.host, first.version);
    if (other.asked != first.asked)
      return fmt::format("rank {} on {} was started with other arguments than rank 0 on {}", other.rank, other.host,
                         first.host);
    if ((*other.gpu == 0) != (*first.gpu == 0))
      return fmt::format("rank {} on {} has {}, rank 0 on {} has {}", other.rank, other.host,
                         *other.gpu ? other.gpu : "no GPU", first.host, *first.gpu ? first.gpu : "none");
    if (!is(other.library, first.library))
      return fmt::format("rank {} on {} has {}, rank 0 on {} has {}", other.rank, other.host, other.library, first.host,
                         first.library);
  }
  return *all.front().gpu == 0 ? "" : gpus_taken_twice(all);
}

}  // namespace ridge::collectives::mpi
