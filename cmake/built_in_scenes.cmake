# Writes a C++ file that holds the shipped scenes as raw string literals.
# Called as: cmake -DSCENES=a.json,b.json -DOUTPUT=x.cpp -P built_in_scenes.cmake

string(REPLACE "," ";" SCENES "${SCENES}")
set(entries "")
foreach(scene IN LISTS SCENES)
  get_filename_component(name "${scene}" NAME_WE)
  file(READ "${scene}" json)
  string(APPEND entries "    {\"${name}\", R\"json(${json})json\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"broadside/scene/scene.hpp\"

namespace broadside::inline v0_2 {

std::span<const BuiltInScene> built_in_scenes() {
  static constexpr BuiltInScene scenes[] = {
${entries}  };
  return scenes;
}

}  // namespace broadside::inline v0_2
")
