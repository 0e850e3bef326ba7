#!/bin/bash
source lib/text.sh

broken() {
  if [ "$1" = "x" ]; then
    bracket "$1"
}
