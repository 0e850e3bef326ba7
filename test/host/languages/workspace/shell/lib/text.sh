# Functions for text, to be sourced.

LIMIT=8

# Prints its arguments in brackets.
bracket() {
  local text="$*"
  echo "[${text:0:$LIMIT}]"
}

function shout {
  bracket "${1^^}"
}
