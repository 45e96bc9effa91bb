# For scripts to source: `step NAME COMMAND...` runs a command and prints its name before, and its duration after it;
# `print_steps` prints the durations of all steps so far.
steps=()
step() {
  local name=$1 start=$SECONDS
  shift
  echo "=== $name"
  "$@"
  steps+=("$(printf '%5d s  %s' "$((SECONDS - start))" "$name")")
  echo "=== $name: $((SECONDS - start)) s"
}

print_steps() {
  printf '%s\n' "${steps[@]}"
}
