# For scripts to source: `step NAME COMMAND...` runs a command and prints its name before, and its duration after it.
step() {
  local name=$1 start=$SECONDS
  shift
  echo "=== $name"
  "$@"
  echo "=== $name: $((SECONDS - start)) s"
}
