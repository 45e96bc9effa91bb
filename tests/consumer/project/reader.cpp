// Uses the component `scene` of the installed library.
#include <broadside/scene/workload.hpp>

int main() {
  const auto workload = broadside::make_workload("uniform", 10, 1);
  return workload.has_value() && workload->boxes.size() == 10 ? 0 : 1;
}
