#include "distributed/balance.hpp"

#include "distributed/messages.hpp"

namespace broadside::inline v0_2::detail {

namespace {

void put(ByteWriter& out, double value) {
  out.put(bit_cast<std::uint64_t>(value));
}

/// What a part says before a step.
struct Status {
  Error refused;
  std::uint64_t items = 0;
  std::uint64_t bullets = 0;
  double seconds = 0.0;
  RebalanceOptions options;
};

void write(ByteWriter& out, const Status& status) {
  out.put(static_cast<std::uint32_t>(status.refused.code));
  out.put(status.refused.message);
  out.put(status.items);
  out.put(status.bullets);
  put(out, status.seconds);
  out.put(status.options.max_imbalance);
  out.put(status.options.interval);
  out.put(status.options.max_share);
}

Status read_status(ByteReader& in) {
  constexpr auto codes = static_cast<std::uint32_t>(ErrorCode::version_mismatch) + 1;
  Status status;
  status.refused.code = static_cast<ErrorCode>(in.take_below<std::uint32_t>(codes));
  status.refused.message = in.take_text();
  status.items = in.take<std::uint64_t>();
  status.bullets = in.take<std::uint64_t>();
  status.seconds = bit_cast<double>(in.take<std::uint64_t>());
  status.options.max_imbalance = in.take_float();
  status.options.interval = in.take<std::uint32_t>();
  status.options.max_share = in.take_float();
  return status;
}

/// Sets the work of this part and the imbalance.
void measure(Agreement& agreement, std::span<const Status> all, std::size_t rank) {
  constexpr double measurable = 0.001;  // below, times are noise (unit: second)
  const auto parts = static_cast<double>(all.size());
  double seconds = 0.0;
  double most = 0.0;
  std::uint64_t most_items = 0;
  for (const Status& status : all) {
    agreement.items += status.items;
    agreement.bullets += status.bullets;
    seconds += status.seconds;
    most = std::max(most, status.seconds);
    most_items = std::max(most_items, status.items);
  }
  const auto items = static_cast<double>(agreement.items);
  if (seconds >= measurable * parts) {
    agreement.own_work = all[rank].seconds;
    agreement.imbalance = most * parts / seconds;
  } else if (items > 0.0) {
    agreement.own_work = static_cast<double>(all[rank].items);
    agreement.imbalance = static_cast<double>(most_items) * parts / items;
  }
}

}  // namespace

Result<void> Balance::set_options(const RebalanceOptions& options) {
  if (!(options.max_imbalance >= 1.0F)) {
    return Error{ErrorCode::invalid_argument, "set_rebalance: max_imbalance must be 1 or more"};
  }
  if (options.interval == 0) {
    return Error{ErrorCode::invalid_argument, "set_rebalance: interval must be 1 or more"};
  }
  if (!(options.max_share > 0.0F && options.max_share <= 1.0F)) {
    return Error{ErrorCode::invalid_argument, "set_rebalance: max_share must be above 0 and at most 1"};
  }
  options_ = options;
  return {};
}

Error Balance::refuse(Error error) {
  if (!refused_) {
    refused_ = error;
  }
  return error;
}

Result<Agreement> Balance::agree(std::size_t items, std::size_t bullets) {
  ByteWriter out;
  write(out, {std::exchange(refused_, {}), items, bullets, seconds_, options_});
  auto gathered = others_.all_gather(out.bytes());
  if (!gathered.has_value()) {
    return gathered.error();
  }
  std::vector<Status> all;
  for (const Communicator::Message& message : *gathered) {
    ByteReader in(message);
    all.push_back(read_status(in));
    if (in.failed()) {
      return Error{ErrorCode::parse, "agree: a damaged message"};
    }
  }
  const auto first = std::find_if(all.begin(), all.end(), [](const Status& s) { return bool(s.refused); });
  if (first != all.end()) {
    return first->refused;
  }
  Agreement agreement;
  agreement.options = all.front().options;
  measure(agreement, all, static_cast<std::size_t>(others_.rank()));
  return agreement;
}

Result<Partition> Balance::moved(const Partition& partition, const Agreement& agreement,
                                 std::span<const Vec2> points) {
  ByteWriter out(points.size() * sizeof(WorkSample));
  const auto count = static_cast<double>(std::max<std::size_t>(points.size(), 1));
  for (const Vec2 point : points) {
    out.put(point);
    out.put(static_cast<float>(agreement.own_work / count));
  }
  auto gathered = others_.all_gather(out.bytes());
  if (!gathered.has_value()) {
    return gathered.error();
  }
  std::vector<WorkSample> samples;
  const auto is_read = read_all(*gathered, "rebalance", [&](ByteReader& in, std::size_t) {
    const Vec2 point = in.take_vec2();
    samples.push_back({point, in.take_float()});
  });
  if (!is_read.has_value()) {
    return is_read.error();
  }
  since_ = 0;
  ++count_;
  // Small steps would take long if almost all work is in few parts, as at the start.
  constexpr double far_off = 4.0;
  return partition.parts() == 1 || agreement.imbalance > far_off
             ? Partition::bisect(samples, others_.size())
             : partition.rebalanced(samples, agreement.options.max_share);
}

}  // namespace broadside::inline v0_2::detail
