#pragma once

#include <cstdint>
#include <utility>

/// The part of EnTT that examples use, for compilation only: EnTT is not in Debian.
namespace entt {

enum class entity : std::uint32_t {};

class registry {
 public:
  entity create();
  void destroy(entity which);
  [[nodiscard]] bool valid(entity which) const;

  template <typename Component, typename... Arguments>
  requires requires { Component{std::declval<Arguments>()...}; }
  Component& emplace(entity /*which*/, Arguments&&... arguments) {
    static Component component{std::forward<Arguments>(arguments)...};
    return component;
  }

  template <typename Component>
  [[nodiscard]] Component& get(entity /*which*/) {
    static Component component{};
    return component;
  }

  template <typename... Components>
  struct View {
    template <typename Visit>
    requires requires(Visit visit, Components&... components) { visit(entity{}, components...); }
    void each(Visit /*visit*/) const {}
  };

  template <typename... Components>
  View<Components...> view() {
    return {};
  }
};

}  // namespace entt
