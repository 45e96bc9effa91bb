#include "panels.hpp"

#include <fmt/core.h>
#include <imgui.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/broad_phase/techniques.hpp"
#include "broadside/scene/scene.hpp"
#include "imgui_draw.hpp"
#include "text.hpp"

namespace broadside::view {

namespace {

constexpr std::size_t neighbors_shown = 12;
constexpr float slider_left =
    150.0F;  ///< left end of the sliders, independent of the number before them (unit: pixel)

void write(const std::string& text) {
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

float width_of(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

void write_wrapped(const std::string& text) {
  write(break_lines(text, ImGui::GetContentRegionAvail().x, width_of));
}

void heading(const std::string& text) {
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::TextDisabled("%s", text.c_str());
}

bool begin_window(const char* name, ImVec2 at, ImVec2 size, ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  return ImGui::Begin(name, nullptr,
                      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                          ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoNav | flags);
}

/// Draws a square in the colour of a role, as in a legend; the next item is placed beside it.
/// @param height of the line (unit: pixel)
void swatch(DrawRole role, float height) {
  const float side = 0.6F * ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + 0.5F * (height - side);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, color_of(role), 2.0F);
  ImGui::Dummy({side, height});
  ImGui::SameLine(0.0F, 6.0F);
}

void swatch(DrawRole role) {
  swatch(role, ImGui::GetTextLineHeight());
}

/// Adds a table row with a name and its value, which is aligned right.
void row(const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(value.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0F));
  write(value);
}

template <typename Rows>
void table(const char* name, Rows rows) {
  if (ImGui::BeginTable(name, 2)) {
    rows();
    ImGui::EndTable();
  }
}

void choose_scene(Viewer& viewer) {
  std::string chosen;
  ImGui::SetNextItemWidth(-1.0F);
  if (ImGui::BeginCombo("##scene", viewer.input.c_str())) {
    for (const BuiltInScene& scene : built_in_scenes()) {
      const std::string name(scene.name);
      if (ImGui::Selectable(name.c_str(), name == viewer.input)) {
        chosen = name;
      }
    }
    ImGui::EndCombo();
  }
  if (!chosen.empty()) {
    viewer.load(chosen);
  }
}

void draw_player(Viewer& viewer) {
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - 3.0F * spacing) / 4.0F;
  if (ImGui::Button(viewer.playing ? "Pause" : "Play", {width, 0.0F})) {
    viewer.playing = !viewer.playing;
  }
  ImGui::SameLine();
  if (ImGui::Button("Step", {width, 0.0F})) {
    viewer.playing = false;
    viewer.step();
  }
  ImGui::SameLine();
  if (ImGui::Button("Restart", {width, 0.0F})) {
    viewer.restart();
  }
  ImGui::SameLine();
  if (ImGui::Button("Fit", {width, 0.0F})) {
    viewer.fit_wanted = true;
  }
}

void choose_technique(Viewer& viewer) {
  bool changed = false;
  bool has_cell_size = false;
  ImGui::SetNextItemWidth(-1.0F);
  if (ImGui::BeginCombo("##technique", viewer.technique.c_str())) {
    for (const TechniqueEntry& technique : techniques()) {
      const std::string name(technique.name);
      if (ImGui::Selectable(name.c_str(), name == viewer.technique)) {
        viewer.technique = name;
        changed = true;
      }
    }
    ImGui::EndCombo();
  }
  for (const TechniqueEntry& technique : techniques()) {
    has_cell_size = has_cell_size || (technique.name == viewer.technique && technique.has_cell_size);
  }
  if (has_cell_size) {
    Vec2& size = viewer.cell_size;
    const std::string label = size.x == size.y ? fmt::format("Cell size {:.4g}###own", size.x)
                                               : fmt::format("Cell {:.4g} x {:.4g}###own", size.x, size.y);
    changed = ImGui::Checkbox(label.c_str(), &viewer.own_cell_size) || changed;
    ImGui::SameLine(slider_left);
    ImGui::SetNextItemWidth(-1.0F);
    ImGui::BeginDisabled(!viewer.own_cell_size);
    float width = size.x;
    if (ImGui::SliderFloat("##cell size", &width, 0.05F * viewer.usual_cell_size,
                           50.0F * viewer.usual_cell_size, "", ImGuiSliderFlags_Logarithmic)) {
      size = {width, width * (size.y / size.x)};
      changed = true;
    }
    ImGui::EndDisabled();
  } else if (viewer.own_cell_size) {
    viewer.own_cell_size = false;
    changed = true;
  }
  if (changed) {
    viewer.apply_technique();
  }
  if (!viewer.error.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, color_of(DrawRole::hit));
    write_wrapped(viewer.error);
    ImGui::PopStyleColor();
  }
}

void draw_counters(const Viewer& viewer) {
  const World& world = viewer.playback.world();
  const Statistics s = viewer.playback.statistics();
  heading(search_text(s.boxes_searched, s.boxes));
  table("search", [&] {
    row("Tests", grouped(s.tests));
    row("Hits (pairs)", grouped(s.hits));
    row("False positives", grouped(s.false_positives()));
    row("Owner checks", grouped(s.owner_checks));
  });
  heading("World");
  table("world", [&] {
    row("Bodies", grouped(world.size()));
    row("Contacts", grouped(world.contacts().size()));
    row("Cells or rows", s.cells > 0 ? grouped(s.cells) : "none");
    row("Occupied", s.cells > 0 ? grouped(s.occupied_cells) : "none");
    row("Entries", grouped(s.entries));
    row("Memory", byte_text(world.bytes()));
  });
}

void draw_parts(const Viewer& viewer) {
  if (viewer.parts == nullptr) {
    return;
  }
  const app::Parts::Totals& last = viewer.parts->last();
  heading(fmt::format("{} part{}", viewer.parts->count(), viewer.parts->count() == 1 ? "" : "s"));
  table("parts", [&] {
    row("Ghosts", grouped(last.ghosts));
    row("Migrants", grouped(last.migrants));
    row("Moves of the cuts", grouped(last.rebalances));
    row("Imbalance", fmt::format("{:.2f}", last.imbalance));
  });
}

void draw_times(const Viewer& viewer) {
  const auto ms = [](double seconds) { return fmt::format("{:.3f}", 1e3 * seconds); };
  const StageTimes& t = viewer.times;
  table("times", [&] {
    row("Scene", ms(t.scene));
    row("Move bodies", ms(t.move));
    row("Update", ms(t.update));
    row("Pairs", ms(t.pairs));
    row("Contacts, events", ms(t.contacts));
    row("Draw", ms(viewer.draw_seconds));
  });
}

void choose_layers(Viewer& viewer) {
  const auto layer = [](DrawRole role, const char* name, bool& on) {
    swatch(role, ImGui::GetFrameHeight());
    ImGui::Checkbox(name, &on);
  };
  if (ImGui::BeginTable("layers", 2)) {
    ImGui::TableNextColumn();
    layer(DrawRole::cell, "Cells", viewer.draw.cells);
    ImGui::TableNextColumn();
    layer(DrawRole::box, "Boxes", viewer.draw.boxes);
    ImGui::TableNextColumn();
    layer(DrawRole::dynamic_body, "Shapes", viewer.draw.shapes);
    ImGui::TableNextColumn();
    layer(DrawRole::contact_point, "Contacts", viewer.draw.contacts);
    ImGui::EndTable();
  }
  ImGui::Checkbox("Colours of the scene", &viewer.scene_colors);
  if (viewer.draw.contacts && viewer.contact_points_drawn == 0 &&
      viewer.playback.world().contacts().size() > max_contact_points) {
    write_wrapped(fmt::format("Contacts are drawn where at most {} points are in view: zoom in.",
                              grouped(max_contact_points)));
  }
}

void describe(const Viewer& viewer, BodyId body, std::span<const BodyId> candidates,
              std::span<const BodyContact> contacts) {
  const World& world = viewer.playback.world();
  const Shape shape = world.shapes(body).value().front();
  const Vec2 at = world.position(body).value();
  const Vec2 velocity = world.velocity(body).value();
  const std::string tag = world.tag(body).value();
  swatch(DrawRole::picked);
  write(fmt::format("Body {}: {} {}", body.index, name(world.type(body).value()), name(shape)));
  write(tag.empty() ? "without a tag" : fmt::format("tag \"{}\"", tag));
  write(fmt::format("at {:.5g}, {:.5g}", at.x, at.y));
  write(fmt::format("velocity {:.4g}, {:.4g} a second", velocity.x, velocity.y));
  swatch(DrawRole::candidate);
  write(fmt::format("{} {}: boxes overlap", candidates.size(),
                    candidates.size() == 1 ? "candidate" : "candidates"));
  swatch(DrawRole::hit);
  write(fmt::format("{} {}: shapes touch", contacts.size(), contacts.size() == 1 ? "hit" : "hits"));
}

/// Removes the common beginning of the reasons of pairs that do not touch: the colour already says so.
std::string reason(const std::string& why) {
  constexpr std::string_view common = "they do not touch: ";
  return why.starts_with(common) ? why.substr(common.size()) : why;
}

/// Lists the nearest bodies, and why each of them touches the body or does not.
void explain(Viewer& viewer, BodyId body, std::span<const BodyId> candidates,
             std::span<const BodyContact> contacts) {
  const World& world = viewer.playback.world();
  const auto near =
      world.nearest(world.position(body).value(), neighbors_shown, std::numeric_limits<float>::max(),
                    {.filter = {.layer = ~std::uint64_t{0}}, .except = body});
  if (!near.has_value()) {
    return;
  }
  BodyId chosen;
  for (const Nearest& other : *near) {
    const bool is_hit = std::any_of(contacts.begin(), contacts.end(),
                                    [&](const BodyContact& contact) { return contact.b == other.body; });
    const bool is_candidate = std::binary_search(candidates.begin(), candidates.end(), other.body);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    swatch(is_hit ? DrawRole::hit : is_candidate ? DrawRole::candidate : DrawRole::disabled_body);
    if (ImGui::Selectable(fmt::format("Body {}", other.body.index).c_str(), false,
                          ImGuiSelectableFlags_SpanAllColumns)) {
      chosen = other.body;
    }
    ImGui::TableNextColumn();
    write_wrapped(reason(world.why(body, other.body)));
  }
  if (chosen) {
    viewer.pick(chosen);
  }
}

}  // namespace

void draw_side_panel(Viewer& viewer, ImVec2 screen) {
  if (begin_window("side", {0.0F, 0.0F}, {side_width, screen.y})) {
    choose_scene(viewer);
    draw_player(viewer);
    write(step_text(viewer.playback.step_number(), viewer.playback.steps()));
    heading("Broad phase");
    choose_technique(viewer);
    if (const std::string choice = viewer.playback.world().broad_phase().tuning(); !choice.empty()) {
      write_wrapped(choice);
    }
    draw_counters(viewer);
    draw_parts(viewer);
    heading("Time per step (ms)");
    draw_times(viewer);
    heading("Show");
    choose_layers(viewer);
  }
  ImGui::End();
}

void draw_body_panel(Viewer& viewer, ImVec2 screen) {
  const ImVec2 at{side_width, std::max(screen.y - bottom_height, 0.0F)};
  if (begin_window("body", at, {screen.x - side_width, bottom_height}, ImGuiWindowFlags_NoScrollbar)) {
    const World& world = viewer.playback.world();
    const BodyId body = viewer.draw.picked;
    if (ImGui::BeginTable("body", 2, ImGuiTableFlags_BordersInnerV)) {
      const auto candidates = world.candidates(body).value();
      const std::vector<BodyContact> contacts = world.contacts_of(body).value();
      ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthFixed, 230.0F);
      ImGui::TableNextColumn();
      describe(viewer, body, candidates, contacts);
      ImGui::TableNextColumn();
      if (ImGui::BeginTable("why", 2, ImGuiTableFlags_ScrollY)) {
        ImGui::TableSetupColumn("who", ImGuiTableColumnFlags_WidthFixed, 100.0F);
        explain(viewer, body, candidates, contacts);
        ImGui::EndTable();
      }
      ImGui::EndTable();
    }
  }
  ImGui::End();
}

void draw_hint(ImVec2 screen) {
  constexpr float margin = 8.0F;
  const std::string text = break_lines(
      "Click a body to see what it is compared with, what it touches, and why. "
      "Wheel: zoom. Drag: move. Space: pause. N: one step. R: restart. F: fit. Q: quit.",
      screen.x - side_width - 2.0F * margin, width_of);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 at{side_width + margin, screen.y - margin - size.y};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled({at.x - 4.0F, at.y - 2.0F}, {at.x + size.x + 4.0F, at.y + size.y + 2.0F},
                     IM_COL32(252, 252, 250, 220), 3.0F);
  list.AddText(at, ink, text.c_str());
}

}  // namespace broadside::view
