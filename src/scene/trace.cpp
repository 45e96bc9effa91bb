#include "broadside/scene/trace.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/checksum.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/scene/file.hpp"
#include "xz.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr std::uint32_t magic = 0x52543242;            // "B2TR"
constexpr std::uint32_t version_without_checksum = 1;  // as recorded by other engines
constexpr std::uint32_t version = 2;
constexpr std::uint64_t header_bytes = 24;
constexpr std::uint64_t max_trace_bytes = std::uint64_t{1} << 30U;

Error bad(const std::string& name, const std::string& what) {
  return {ErrorCode::parse, name + ": " + what};
}

std::string counts_text(std::uint64_t shapes, std::uint64_t statics, std::uint64_t frames) {
  return "header promises " + std::to_string(shapes) + " shapes, " + std::to_string(statics) +
         " static, and " + std::to_string(frames) + " frames";
}

struct Header {
  std::uint64_t shapes = 0;
  std::uint64_t statics = 0;
  std::uint64_t frames = 0;
  std::uint32_t first_step = 0;
  std::uint64_t file_bytes = 0;  ///< as computed from the counts
  bool has_checksum = false;
};

Result<Header> parse_header(std::string_view bytes, const std::string& name) {
  if (bytes.size() < header_bytes) {
    return bad(name, "has " + std::to_string(bytes.size()) + " bytes; a trace begins with a header of 24");
  }
  detail::ByteReader reader(std::as_bytes(std::span(bytes)));
  if (reader.take<std::uint32_t>() != magic) {
    return bad(name, "is not a trace: it does not begin with the magic number 0x52543242");
  }
  const std::uint32_t found = reader.take<std::uint32_t>();
  if (found != version && found != version_without_checksum) {
    return bad(name, "header: version is " + std::to_string(found) + "; this program reads versions 1 and 2");
  }
  Header header;
  header.has_checksum = found == version;
  header.shapes = reader.take<std::uint32_t>();
  header.statics = reader.take<std::uint32_t>();
  header.frames = reader.take<std::uint32_t>();
  header.first_step = reader.take<std::uint32_t>();
  if (header.statics > header.shapes) {
    return bad(name, "header: static_count is " + std::to_string(header.statics) +
                         ", more than shape_count " + std::to_string(header.shapes));
  }
  if (header.frames == 0) {
    return bad(name, "header: frame_count is 0; expected at least one frame");
  }
  // In double first: the product of wrong counts may overflow 64 bits.
  const double moving_bytes =
      16.0 * static_cast<double>(header.frames) * static_cast<double>(header.shapes - header.statics);
  if (moving_bytes > 1e18) {
    return bad(name,
               counts_text(header.shapes, header.statics, header.frames) + ", more than any file can hold");
  }
  header.file_bytes = header_bytes + 4 * header.shapes + 24 * header.frames + 16 * header.statics +
                      16 * header.frames * (header.shapes - header.statics) +
                      (header.has_checksum ? detail::checksum_size : 0);
  return header;
}

Result<Trace> parse_raw(std::string_view bytes, const std::string& name) {
  const auto header = parse_header(bytes, name);
  if (!header.has_value()) {
    return header.error();
  }
  const auto [shapes, statics, frames, first_step, file_bytes, has_checksum] = *header;
  if (file_bytes != bytes.size()) {
    return bad(name, counts_text(shapes, statics, frames) + ", which does not fit the " +
                         std::to_string(bytes.size()) + " bytes there are; the file is truncated or damaged");
  }
  if (has_checksum && !detail::has_checksum(std::as_bytes(std::span(bytes)), detail::checksum)) {
    return bad(name, "is damaged: it does not end with the checksum of its bytes");
  }
  // The counts fit the size of the file, so the reader cannot fail.
  detail::ByteReader reader(std::as_bytes(std::span(bytes)).subspan(header_bytes));
  Trace trace;
  trace.first_step = first_step;

  trace.body_ids.reserve(shapes);
  for (std::uint64_t i = 0; i < shapes; ++i) {
    trace.body_ids.push_back(reader.take_words<std::int32_t>());
  }
  trace.profiles.reserve(frames);
  for (std::uint64_t i = 0; i < frames; ++i) {
    trace.profiles.push_back(reader.take_words<TraceProfile>());
  }
  trace.static_boxes.reserve(statics);
  for (std::uint64_t i = 0; i < statics; ++i) {
    trace.static_boxes.push_back(reader.take_words<Aabb>());
    if (!is_valid(trace.static_boxes.back())) {
      return bad(name,
                 validate(trace.static_boxes.back(), "static shape " + std::to_string(i)).error().message);
    }
  }
  const std::uint64_t moving = shapes - statics;
  trace.moving_boxes.reserve(frames * moving);
  for (std::uint64_t i = 0; i < frames * moving; ++i) {
    trace.moving_boxes.push_back(reader.take_words<Aabb>());
    if (!is_valid(trace.moving_boxes.back())) {
      const std::string where =
          "frame " + std::to_string(i / moving) + ", shape " + std::to_string(statics + i % moving);
      return bad(name, validate(trace.moving_boxes.back(), where).error().message);
    }
  }
  return trace;
}

}  // namespace

Result<Trace> parse_trace(std::string_view bytes, const std::string& name) {
  if (!is_xz(bytes)) {
    return parse_raw(bytes, name);
  }
  // The header first, so that no more is unpacked than it announces.
  const auto begin = unpack_xz_begin(bytes, header_bytes, name);
  if (!begin.has_value()) {
    return begin.error();
  }
  const auto header = parse_header(*begin, name);
  if (!header.has_value()) {
    return header.error();
  }
  if (header->file_bytes > max_trace_bytes) {
    return Error{ErrorCode::too_large, name + ": unpacks to " + std::to_string(header->file_bytes >> 20U) +
                                           " MiB, more than the limit of " +
                                           std::to_string(max_trace_bytes >> 20U)};
  }
  const auto unpacked = unpack_xz(bytes, header->file_bytes, name);
  if (!unpacked.has_value()) {
    return unpacked.error();
  }
  return parse_raw(*unpacked, name);
}

Result<Trace> read_trace(const std::string& path) {
  const auto bytes = read_file(path, max_trace_bytes);
  if (!bytes.has_value()) {
    return bytes.error();
  }
  return parse_trace(*bytes, path);
}

Result<std::string> format_trace(const Trace& trace, bool packed) {
  detail::ByteWriter writer;
  for (const std::size_t value : {std::size_t{magic}, std::size_t{version}, trace.shape_count(),
                                  trace.static_count(), trace.frame_count()}) {
    writer.put(static_cast<std::uint32_t>(value));
  }
  writer.put(trace.first_step);
  for (const std::int32_t id : trace.body_ids) {
    writer.put_words(id);
  }
  for (const TraceProfile& profile : trace.profiles) {
    writer.put_words(profile);
  }
  for (const auto* boxes : {&trace.static_boxes, &trace.moving_boxes}) {
    for (const Aabb& box : *boxes) {
      writer.put_words(box);
    }
  }
  writer.put_checksum(detail::checksum);
  const std::string_view raw(reinterpret_cast<const char*>(writer.bytes().data()), writer.size());
  return packed ? pack_xz(raw) : Result<std::string>(std::string(raw));
}

}  // namespace broadside::inline v0_2
