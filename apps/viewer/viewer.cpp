#include "viewer.hpp"

#include <SDL.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include "broadside/broad_phase/cell_size.hpp"
#include "imgui_draw.hpp"
#include "panels.hpp"
#include "screenshot.hpp"
#include "sdl_renderer.hpp"

namespace broadside::view {

namespace {

constexpr double smoothing = 0.1;      ///< weight of the newest time in the smoothed time
constexpr float click_slack = 4.0F;    ///< how far the mouse may move during a click (unit: pixel)
constexpr float pick_distance = 6.0F;  ///< how close to a body a click must be (unit: pixel)
constexpr double max_steps_at_once = 4;
constexpr float cut_width = 1.5F;  ///< (unit: pixel)
constexpr std::size_t many_shapes = 10'000;
// Smaller shapes are drawn as boxes of whole pixels, which is faster (unit: pixel).
constexpr double min_size = 2.0;
constexpr double min_size_of_many = 8.0;

void smooth(double& shown, double now) {
  shown += smoothing * (now - shown);
}

Error sdl_error(const std::string& what) {
  return {ErrorCode::io, what + ": " + SDL_GetError()};
}

}  // namespace

void Viewer::load(const std::string& name) {
  auto opened = Playback::open(name);
  if (!opened.has_value()) {
    error = opened.error().message;
    return;
  }
  input = name;
  playback = *std::move(opened);
  draw.picked = {};
  shapes_drawn = playback.world().size();
  fit_wanted = true;
  own_cell_size = false;
  apply_technique();
  set_parts(parts != nullptr ? parts->count() : 0);
}

void Viewer::step() {
  playback.step();
  const StageTimes& now = playback.times();
  smooth(times.scene, now.scene);
  smooth(times.move, now.move);
  smooth(times.update, now.update);
  smooth(times.pairs, now.pairs);
  smooth(times.contacts, now.contacts);
  find_parts();
}

void Viewer::restart() {
  playback.restart();
  find_parts();
}

void Viewer::set_parts(int count) {
  parts = count > 0 ? std::make_unique<app::Parts>(count) : nullptr;
  find_parts();
}

void Viewer::find_parts() {
  if (parts == nullptr) {
    return;
  }
  if (auto found = parts->step(playback.frames()); !found.has_value()) {
    parts = nullptr;
    error = found.error().message;
  }
}

void Viewer::apply_technique() {
  usual_cell_size = suggest_cell_size(playback.frames().boxes()).value();
  if (!own_cell_size) {
    cell_size = {usual_cell_size, usual_cell_size};
  }
  const auto changed =
      playback.set_technique(technique, own_cell_size ? std::optional(cell_size) : std::nullopt);
  error = changed.has_value() ? std::string() : changed.error().message;
}

void Viewer::pick(ImVec2 at) {
  const auto near =
      playback.world().nearest(camera.under(at), 1, static_cast<float>(pick_distance / camera.scale()),
                               {.filter = {.layer = ~std::uint64_t{0}}});
  pick(near.has_value() && !near->empty() ? near->front().body : BodyId{});
}

void Viewer::pick(BodyId body) {
  draw.picked = body;
  reveal_wanted = true;
  playback.follow(body);
}

namespace {

/// Owns SDL and Dear ImGui while the window is open.
class Window {
 public:
  static Result<Window> open(const ViewerOptions& options) {
    Window window;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
      return sdl_error("no window can be opened");
    }
    window.is_open_ = true;
    // Without a display SDL falls back to a driver that shows nothing, and never ends.
    const std::string_view driver = SDL_GetCurrentVideoDriver();
    if (!options.frames && (driver == "offscreen" || driver == "dummy")) {
      return Error{ErrorCode::io, "there is no display; to draw without one, use --frames and --screenshot"};
    }
    window.window_.reset(SDL_CreateWindow("broadside", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                          options.width, options.height, SDL_WINDOW_RESIZABLE));
    if (!window.window_) {
      return sdl_error("no window can be opened");
    }
    SDL_SetWindowMinimumSize(window.window_.get(), smallest_width, smallest_height);
    // Pictures for tests are rendered in software: the same everywhere, and on machines without a screen.
    if (!options.frames) {
      window.renderer_.reset(
          SDL_CreateRenderer(window.window_.get(), -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC));
    }
    if (!window.renderer_) {
      window.renderer_.reset(SDL_CreateRenderer(window.window_.get(), -1, SDL_RENDERER_SOFTWARE));
    }
    if (!window.renderer_) {
      return sdl_error("nothing can be drawn in the window");
    }
    window.start_imgui();
    window.font_ = make_font_texture(*window.renderer_);
    return window;
  }

  Window(Window&& other) noexcept
      : is_open_(std::exchange(other.is_open_, false)),
        has_imgui_(std::exchange(other.has_imgui_, false)),
        window_(std::move(other.window_)),
        renderer_(std::move(other.renderer_)),
        font_(std::move(other.font_)),
        layer_(std::move(other.layer_)),
        layer_texture_(std::move(other.layer_texture_)) {}
  Window& operator=(Window&&) = delete;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() {
    if (has_imgui_) {
      ImGui_ImplSDL2_Shutdown();
      ImGui::DestroyContext();
    }
    layer_texture_.reset();
    font_.reset();
    renderer_.reset();
    window_.reset();
    if (is_open_) {
      SDL_Quit();
    }
  }

  [[nodiscard]] SDL_Renderer& renderer() const { return *renderer_; }

  static void begin_frame() {
    ImGui_ImplSDL2_NewFrame();
    ImGui::NewFrame();
  }
  /// Clears the layer of small boxes, which covers the area of a camera.
  [[nodiscard]] LayerTarget begin_layer(const Camera& camera) {
    layer_.begin(camera.min(), camera.max());
    int width = 0;
    int height = 0;
    if (layer_texture_) {
      SDL_QueryTexture(layer_texture_.get(), nullptr, nullptr, &width, &height);
    }
    if (width != layer_.width() || height != layer_.height()) {
      layer_texture_ = make_texture(*renderer_, layer_.width(), layer_.height());
    }
    return {layer_, layer_texture_.get()};
  }
  /// Writes the layer to its texture.
  void end_layer() const {
    SDL_UpdateTexture(layer_texture_.get(), nullptr, layer_.pixels().data(), 4 * layer_.width());
  }
  void end_frame() const {
    ImGui::Render();
    SDL_SetRenderDrawColor(renderer_.get(), 252, 252, 250, 255);
    SDL_RenderClear(renderer_.get());
    render(*renderer_, *ImGui::GetDrawData());
  }

 private:
  Window() = default;

  void start_imgui() {
    ImGui::CreateContext();
    has_imgui_ = true;
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    // Without this font, the small one that comes with Dear ImGui is used.
    constexpr const char* font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
    if (std::filesystem::exists(font)) {
      io.Fonts->AddFontFromFileTTF(font, 14.0F);
    }
    ImGui::StyleColorsLight();
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLinesUseTex = false;
    style.CircleTessellationMaxError = 0.12F;
    style.WindowRounding = 0.0F;
    style.FrameRounding = 3.0F;
    style.WindowBorderSize = 0.0F;
    style.Colors[ImGuiCol_WindowBg] = {0.945F, 0.95F, 0.955F, 1.0F};
    style.Colors[ImGuiCol_Text] = ImGui::ColorConvertU32ToFloat4(ink);
    style.Colors[ImGuiCol_CheckMark] = ImGui::ColorConvertU32ToFloat4(color_of(DrawRole::dynamic_body));
    ImGui_ImplSDL2_InitForSDLRenderer(window_.get());
  }

  bool is_open_ = false;
  bool has_imgui_ = false;
  Owned<SDL_Window> window_;
  Owned<SDL_Renderer> renderer_;
  Owned<SDL_Texture> font_;
  PixelLayer layer_;
  Owned<SDL_Texture> layer_texture_;
};

/// Handles a key; returns false to end.
bool press(Viewer& viewer, SDL_Keycode key) {
  switch (key) {
    case SDLK_q:
      return false;
    case SDLK_SPACE:
      viewer.playing = !viewer.playing;
      break;
    case SDLK_n:
    case SDLK_RIGHT:
      viewer.playing = false;
      viewer.step();
      break;
    case SDLK_r:
      viewer.restart();
      break;
    case SDLK_f:
      viewer.fit_wanted = true;
      break;
    case SDLK_ESCAPE:
      viewer.pick(BodyId{});
      break;
    default:
      break;
  }
  return true;
}

/// Handles all pending events; returns false to end.
bool handle_events(Viewer& viewer) {
  bool goes_on = true;
  SDL_Event event;
  while (SDL_PollEvent(&event) != 0) {
    ImGui_ImplSDL2_ProcessEvent(&event);
    if (event.type == SDL_QUIT || (event.type == SDL_KEYDOWN && !ImGui::GetIO().WantTextInput &&
                                   !press(viewer, event.key.keysym.sym))) {
      goes_on = false;
    }
  }
  return goes_on;
}

void handle_mouse(Viewer& viewer) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse || !viewer.camera.contains(io.MousePos)) {
    return;
  }
  if (io.MouseWheel != 0.0F) {
    viewer.camera.zoom(io.MousePos, std::pow(1.15, double{io.MouseWheel}));
  }
  for (const ImGuiMouseButton button :
       {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle}) {
    if (ImGui::IsMouseDragging(button, click_slack)) {
      viewer.camera.pan(io.MouseDelta);
    }
  }
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
      io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < click_slack * click_slack) {
    viewer.pick(io.MousePos);
  }
}

void draw_cuts(ImDrawList& list, const Camera& camera, const Partition& partition) {
  const Aabb seen = camera.seen();
  for (const Aabb& cut : app::cuts_of(partition)) {
    if (overlaps(cut, seen)) {
      const Vec2 from{std::max(cut.min.x, seen.min.x), std::max(cut.min.y, seen.min.y)};
      const Vec2 to{std::min(cut.max.x, seen.max.x), std::min(cut.max.y, seen.max.y)};
      list.AddLine(camera.to_screen({from.x, from.y}), camera.to_screen({to.x, to.y}), ink, cut_width);
    }
  }
}

void draw_world(Viewer& viewer, Window& window) {
  const auto begin = std::chrono::steady_clock::now();
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(viewer.camera.min(), viewer.camera.max());
  // Where bodies are small, large dots would hide them.
  const double body = viewer.usual_cell_size * viewer.camera.scale();
  ImguiDraw drawer(list, viewer.camera, viewer.scene_colors ? &viewer.playback.frames() : nullptr,
                   viewer.parts.get(), static_cast<float>(std::clamp(0.036 * body, 1.0, 2.6)),
                   window.begin_layer(viewer.camera));
  viewer.draw.min_shape_size = viewer.shapes_drawn > many_shapes ? min_size_of_many : min_size;
  viewer.draw.view = viewer.camera.seen();
  viewer.draw.scale = viewer.camera.scale();
  draw(viewer.playback.world(), drawer, viewer.draw).value();
  if (viewer.parts != nullptr) {
    draw_cuts(list, viewer.camera, viewer.parts->partition());
  }
  list.PopClipRect();
  if (drawer.shows_layer()) {
    window.end_layer();
  }
  viewer.shapes_drawn = drawer.shapes();
  viewer.contact_points_drawn = drawer.contact_points();
  smooth(viewer.draw_seconds,
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

void draw_frame(Viewer& viewer, Window& window) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float bottom = viewer.has_picked() ? screen.y - bottom_height : screen.y;
  viewer.camera.set_area({side_width, 0.0F}, {screen.x, std::max(bottom, 1.0F)});
  if (viewer.fit_wanted) {
    viewer.camera.show(viewer.playback.frames().view(), viewer.playback.frames().y_is_up());
    viewer.fit_wanted = false;
  }
  if (std::exchange(viewer.reveal_wanted, false) && viewer.has_picked()) {
    const Aabb body = viewer.playback.world().bounds(viewer.draw.picked).value();
    if (!overlaps(body, viewer.camera.seen())) {
      viewer.camera.reveal(
          {0.5 * (double{body.min.x} + body.max.x), 0.5 * (double{body.min.y} + body.max.y)});
    }
  }
  handle_mouse(viewer);
  draw_side_panel(viewer, screen);
  if (viewer.has_picked()) {
    draw_body_panel(viewer, screen);
  } else {
    draw_hint(screen);
  }
  draw_world(viewer, window);
}

/// Takes the steps that are due for the time that has passed.
void play(Viewer& viewer, double& due) {
  due += double{ImGui::GetIO().DeltaTime} / double{viewer.playback.frames().seconds_per_step()};
  due = std::min(due, max_steps_at_once);  // a slow machine drops steps instead of falling behind
  for (; viewer.playing && due >= 1.0; due -= 1.0) {
    viewer.step();
  }
  due = std::fmod(due, 1.0);
}

}  // namespace

Result<void> run_viewer(const ViewerOptions& options) {
  auto opened = Playback::open(options.input, options.origin);
  if (!opened.has_value()) {
    return opened.error();
  }
  Viewer viewer{.input = options.input,
                .playback = *std::move(opened),
                .playing = !options.paused,
                .technique = std::string(default_technique().name)};
  if (!options.technique.empty()) {
    viewer.technique = options.technique;
  }
  viewer.own_cell_size = options.cell_size.has_value();
  viewer.cell_size = options.cell_size.value_or(viewer.cell_size);
  viewer.shapes_drawn = viewer.playback.world().size();
  viewer.apply_technique();
  if (!viewer.error.empty()) {
    return Error{ErrorCode::invalid_argument, viewer.error};
  }
  if (options.parts) {
    viewer.set_parts(*options.parts);
    if (!viewer.error.empty()) {
      return Error{ErrorCode::io, viewer.error};
    }
  }
  if (options.pick) {
    const auto bodies = viewer.playback.bodies();
    if (*options.pick >= bodies.size()) {
      return Error{ErrorCode::invalid_argument,
                   "--pick: there are " + std::to_string(bodies.size()) + " bodies, counted from 0"};
    }
    viewer.pick(bodies[*options.pick]);
  }
  auto window = Window::open(options);
  if (!window.has_value()) {
    return window.error();
  }
  double due = 0.0;
  for (std::uint32_t frame = 0; !options.frames || frame < *options.frames; ++frame) {
    if (!handle_events(viewer)) {
      break;
    }
    Window::begin_frame();
    if (!options.frames) {
      play(viewer, due);
    } else if (viewer.playing) {
      viewer.step();
    }
    draw_frame(viewer, *window);
    window->end_frame();
    if (options.frames && frame + 1 == *options.frames && !options.screenshot.empty()) {
      if (auto written = write_screenshot(window->renderer(), options.screenshot); !written.has_value()) {
        return written;
      }
    }
    SDL_RenderPresent(&window->renderer());
  }
  return {};
}

}  // namespace broadside::view
