#include "xz.hpp"

#include <lzma.h>

#include <algorithm>
#include <vector>

namespace broadside::inline v0_2 {

namespace {

constexpr std::uint64_t decoder_memory_limit = std::uint64_t{256} << 20U;

struct Stream {
  lzma_stream state = LZMA_STREAM_INIT;
  ~Stream() { lzma_end(&state); }
};

const std::uint8_t* as_bytes(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

/// Runs the coder to the end of the stream, or until there are more than `max_bytes`. Returns the last status
/// of liblzma.
lzma_ret run(lzma_stream& state, std::string_view input, std::uint64_t max_bytes, std::string& output) {
  std::vector<std::uint8_t> piece(std::min<std::uint64_t>(std::uint64_t{1} << 18U, max_bytes + 1));
  state.next_in = as_bytes(input);
  state.avail_in = input.size();
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK) {
    state.next_out = piece.data();
    state.avail_out = piece.size();
    status = lzma_code(&state, LZMA_FINISH);
    output.append(reinterpret_cast<const char*>(piece.data()), piece.size() - state.avail_out);
    if (output.size() > max_bytes) {
      break;
    }
  }
  return status;
}

/// Unpacks everything, or a little more than `max_bytes` if there is more.
Error unpack(std::string_view bytes, std::uint64_t max_bytes, const std::string& name, std::string& output) {
  Stream stream;
  if (lzma_stream_decoder(&stream.state, decoder_memory_limit, LZMA_CONCATENATED) != LZMA_OK) {
    return {ErrorCode::io, name + ": cannot start the xz decoder"};
  }
  const lzma_ret status = run(stream.state, bytes, max_bytes, output);
  if (status == LZMA_STREAM_END || output.size() > max_bytes) {
    return {};
  }
  if (status == LZMA_MEMLIMIT_ERROR) {
    return {ErrorCode::too_large, name + ": takes " + std::to_string(lzma_memusage(&stream.state) >> 20U) +
                                      " MiB of memory to unpack, more than the limit of " +
                                      std::to_string(decoder_memory_limit >> 20U) +
                                      "; pack it with a smaller dictionary, such as that of xz -9"};
  }
  if (status == LZMA_BUF_ERROR) {
    return {ErrorCode::parse, name + ": the xz data is truncated; expected a whole .xz file"};
  }
  return {ErrorCode::parse, name + ": the xz data is damaged; expected a whole .xz file"};
}

}  // namespace

bool is_xz(std::string_view bytes) {
  return bytes.starts_with(
      std::string_view("\xFD"
                       "7zXZ\0",
                       6));
}

Result<std::string> unpack_xz(std::string_view bytes, std::uint64_t max_bytes, const std::string& name) {
  std::string output;
  const Error error = unpack(bytes, max_bytes, name, output);
  if (error) {
    return error;
  }
  if (output.size() > max_bytes) {
    return Error{ErrorCode::parse, name + ": unpacks to more than the " + std::to_string(max_bytes) +
                                       " bytes that its header promises; the file is damaged"};
  }
  return output;
}

Result<std::string> unpack_xz_begin(std::string_view bytes, std::size_t count, const std::string& name) {
  std::string output;
  const Error error = unpack(bytes, count, name, output);
  if (error) {
    return error;
  }
  output.resize(std::min(output.size(), count));
  return output;
}

Result<std::string> pack_xz(std::string_view bytes) {
  Stream stream;
  std::string output;
  if (lzma_easy_encoder(&stream.state, 6, LZMA_CHECK_CRC64) != LZMA_OK ||
      run(stream.state, bytes, UINT64_MAX - 1, output) != LZMA_STREAM_END) {
    return Error{ErrorCode::io, "cannot pack as xz"};
  }
  return output;
}

}  // namespace broadside::inline v0_2
