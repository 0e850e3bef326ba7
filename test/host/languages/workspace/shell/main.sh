#!/bin/bash
set -eu
# shellcheck source=lib/text.sh
source "$(dirname "$0")/lib/text.sh"

greet() {
  local name="$1"
  bracket "Hello $name"
  shout "$name"
}

greet "${1:-world}"
