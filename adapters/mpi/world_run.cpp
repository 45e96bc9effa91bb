#include "world_run.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <span>

#include "broadside/distributed/world.hpp"
#include "broadside/scene/file.hpp"
#include "broadside/scene/scene.hpp"
#include "gather.hpp"

namespace broadside::mpi {

namespace {

constexpr std::uint64_t max_snapshot_bytes = std::uint64_t{1} << 31U;  // of a message of MPI

Result<Scene> open_scene(const std::string& input) {
  const BuiltInScene* const built_in = find_built_in_scene(input);
  return built_in != nullptr ? parse_scene(built_in->json, input) : read_scene(input);
}

/// Returns on all ranks what rank 0 returns from `work`: text, or an error. Collective.
template <typename Work>
Result<std::string> on_rank_0(Communicator& others, const Work& work) {
  std::string text;
  if (others.rank() == 0) {
    Result<std::string> done = work();
    text = done.has_value() ? "+" + *done : "-" + done.error().message;
  }
  auto all = gather(others, std::vector<char>(text.begin(), text.end()));
  if (!all.has_value()) {
    return all.error();
  }
  std::string rest(all->begin() + 1, all->end());
  return all->front() == '+' ? Result<std::string>(std::move(rest)) : Error{ErrorCode::io, std::move(rest)};
}

Result<void> add_bodies(DistributedWorld& part, const Scene& scene, const Communicator& others) {
  // Each rank adds a share, wherever the bodies are.
  for (auto i = static_cast<std::size_t>(others.rank()); i < scene.bodies.size();
       i += static_cast<std::size_t>(others.size())) {
    const SceneBody& body = scene.bodies[i];
    const Transform transform = body.transform();
    const auto added =
        part.add(GlobalId::of(0, i), {.shape = body.shape,
                                      .type = body.type,
                                      .position = transform.position,
                                      .rotation = transform.rotation,
                                      .velocity = body.type == BodyType::static_body ? Vec2{} : body.velocity,
                                      .tag = scene.tags.empty() ? std::string() : scene.tags[body.tag],
                                      .filter = body.filter()});
    if (!added.has_value()) {
      return added;
    }
  }
  return {};
}

Result<void> restore(DistributedWorld& part, const std::string& file, Communicator& others) {
  const auto bytes = on_rank_0(others, [&] { return read_file(file, max_snapshot_bytes); });
  if (!bytes.has_value()) {
    return bytes.error();
  }
  const auto restored = part.restore(std::as_bytes(std::span(*bytes)));
  return restored.has_value() ? restored
                              : Error{restored.error().code, file + ": " + restored.error().message};
}

Result<void> save(DistributedWorld& part, const std::string& file, Communicator& others) {
  const auto snapshot = part.snapshot();
  if (!snapshot.has_value()) {
    return snapshot.error();
  }
  const auto saved = on_rank_0(others, [&]() -> Result<std::string> {
    auto target = OutputFile::open(file);
    if (!target.has_value()) {
      return target.error();
    }
    std::string bytes(snapshot->size(), '\0');
    std::memcpy(bytes.data(), snapshot->data(), snapshot->size());
    target->write(bytes);
    const auto committed = target->commit();
    return committed.has_value() ? Result<std::string>(std::string()) : committed.error();
  });
  return saved.has_value() ? Result<void>() : saved.error();
}

Result<void> print(DistributedWorld& part, const Options& options, Communicator& others) {
  const auto hash = part.hash();
  const DistributedWorldStatistics now = part.statistics();
  const auto all =
      gather(others, std::vector<std::array<std::uint64_t, 5>>{
                         {part.owned().size(), part.touching().size(), now.ghosts, now.migrants, now.bytes}});
  if (!hash.has_value() || !all.has_value()) {
    return hash.has_value() ? all.error() : hash.error();
  }
  std::array<std::uint64_t, 5> sums{};
  for (const auto& counts : *all) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += counts[i];
    }
  }
  if (others.rank() == 0) {
    const std::string& name = options.input.empty() ? options.restore_file : options.input;
    std::printf("%s: %" PRIu64 " bodies, %zu steps on %d ranks\n", name.c_str(), sums[0], options.steps,
                others.size());
    std::printf("the last step: %" PRIu64 " contacts, %" PRIu64 " ghosts, %" PRIu64 " migrants, %" PRIu64
                " bytes\n",
                sums[1], sums[2], sums[3], sums[4]);
    std::printf("hash %016" PRIx64 "\n", *hash);
  }
  return {};
}

}  // namespace

Result<void> run_world(Communicator& others, const Options& options) {
  WorldOptions world;
  Scene scene;
  if (options.restore_file.empty()) {
    auto opened = open_scene(options.input);
    if (!opened.has_value()) {
      return opened.error();
    }
    scene = std::move(*opened);
    world.gravity = scene.gravity;
  }
  auto part = DistributedWorld::create(others, world);
  if (!part.has_value()) {
    return part.error();
  }
  if (auto set = (*part)->set_rebalance({.max_imbalance = options.max_imbalance}); !set.has_value()) {
    return set;
  }
  auto filled = options.restore_file.empty() ? add_bodies(**part, scene, others)
                                             : restore(**part, options.restore_file, others);
  for (std::size_t step = 0; filled.has_value() && step < options.steps; ++step) {
    filled = (*part)->step(options.seconds);
  }
  if (filled.has_value() && !options.save_file.empty()) {
    filled = save(**part, options.save_file, others);
  }
  return filled.has_value() ? print(**part, options, others) : filled;
}

}  // namespace broadside::mpi
