#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace broadside::test {

/// Names an entity: a slot, and how often it was reused.
enum class Entity : std::uint32_t {};

/// A registry with the interface of EnTT's, as small as the tests need. It has what makes EnTT's hard to
/// follow: slots are reused, a removed component is replaced by the last one, and views run backwards.
template <typename... Components>
class Registry {
 public:
  template <typename Component>
  static constexpr bool has = (std::is_same_v<Component, Components> || ...);

  Entity create() {
    if (free_.empty()) {
      versions_.push_back(0);
      return entity_at(versions_.size() - 1);
    }
    const std::size_t place = free_.back();
    free_.pop_back();
    return entity_at(place);
  }

  [[nodiscard]] bool valid(Entity entity) const {
    const std::size_t place = place_of(entity);
    return place < versions_.size() && entity_at(place) == entity;
  }

  /// @pre valid(entity)
  void destroy(Entity entity) {
    (pool<Components>().remove(entity), ...);
    const std::size_t place = place_of(entity);
    ++versions_[place];
    free_.push_back(place);
  }

  template <typename Component>
  Component& emplace(Entity entity, Component component) {
    return pool<Component>().add(entity, std::move(component));
  }
  template <typename Component>
  void remove(Entity entity) {
    pool<Component>().remove(entity);
  }
  template <typename Component>
  Component& get(Entity entity) {
    return *pool<Component>().find(entity);
  }

  template <typename First, typename Second>
  requires(has<First>&& has<Second>) auto view() {
    return View<First, Second>{pool<First>(), pool<Second>()};
  }

 private:
  template <typename Component>
  struct Pool {
    std::vector<Entity> entities;
    std::vector<Component> components;

    Component* find(Entity entity) {
      for (std::size_t i = 0; i < entities.size(); ++i) {
        if (entities[i] == entity) {
          return &components[i];
        }
      }
      return nullptr;
    }
    Component& add(Entity entity, Component component) {
      entities.push_back(entity);
      components.push_back(std::move(component));
      return components.back();
    }
    void remove(Entity entity) {
      for (std::size_t i = 0; i < entities.size(); ++i) {
        if (entities[i] == entity) {
          std::swap(entities[i], entities.back());
          std::swap(components[i], components.back());
          entities.pop_back();
          components.pop_back();
          return;
        }
      }
    }
  };

  template <typename First, typename Second>
  struct View {
    Pool<First>& first;
    Pool<Second>& second;

    template <typename Visit>
    void each(Visit visit) {
      for (std::size_t i = first.entities.size(); i-- > 0;) {
        if (Second* other = second.find(first.entities[i])) {
          visit(first.entities[i], first.components[i], *other);
        }
      }
    }
  };

  static constexpr std::uint32_t place_bits = 20;
  static std::size_t place_of(Entity entity) {
    return static_cast<std::uint32_t>(entity) & ((1U << place_bits) - 1U);
  }
  [[nodiscard]] Entity entity_at(std::size_t place) const {
    return static_cast<Entity>((versions_[place] << place_bits) | static_cast<std::uint32_t>(place));
  }
  template <typename Component>
  Pool<Component>& pool() {
    return std::get<Pool<Component>>(pools_);
  }

  std::vector<std::uint32_t> versions_;
  std::vector<std::size_t> free_;
  std::tuple<Pool<Components>...> pools_;
};

}  // namespace broadside::test
