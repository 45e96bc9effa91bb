#include "foreign_format.hpp"

#include "broadside/scene/box_list.hpp"
#include "xz.hpp"

namespace broadside::inline v0_2 {

namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Returns the first character that is neither blank nor a byte order mark, or 0.
char first_character(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : text[first];
}

}  // namespace

Error explain_other_program(std::string_view text, const std::string& name) {
  const bool is_xml = first_character(text) == '<';
  std::string_view format;
  if (contains(text, "\"__header__\"") && contains(text, "LDtk")) {
    format = "an LDtk project";
  } else if (contains(text, "\"tilewidth\"") || contains(text, "\"tiledversion\"") ||
             contains(text, "\"compressionlevel\"") || (is_xml && contains(text, "tilewidth="))) {
    format = "a Tiled map";
  } else if (contains(text, "\"FeatureCollection\"") || contains(text, "\"coordinates\"")) {
    format = "GeoJSON";
  } else {
    return {};
  }
  return {
      ErrorCode::parse,
      name + " looks like " + std::string(format) +
          "; broadside reads scenes as JSON, traces as .b2tr and box lists as CSV; see docs/command-line.md"};
}

Error explain_no_box_list(std::string_view begin, const std::string& name) {
  const char first = first_character(begin);
  const bool is_json = first == '{' || first == '[';
  const bool is_trace = is_xz(begin) || begin.starts_with("B2TR");
  if (!is_json && !is_trace && first != '<') {
    return {};
  }
  if (Error error = explain_other_program(begin, name)) {
    return error;
  }
  std::string columns(box_list_header());
  columns.pop_back();
  return {ErrorCode::parse, name + " looks like " +
                                (is_json    ? "JSON"
                                 : is_trace ? "a trace"
                                            : "XML") +
                                "; expected boxes as CSV: " + columns + "; see docs/command-line.md"};
}

}  // namespace broadside::inline v0_2
