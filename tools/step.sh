# For scripts to source: `step NAME COMMAND...` runs a command, and prints its name before and its seconds after.
step() {
  local name=$1 start=$SECONDS
  shift
  echo "=== $name"
  "$@"
  echo "=== $name: $((SECONDS - start)) s"
}
