# What the completions in $1 offer.
. "$1"
cd "$(dirname "$0")/.."
ask() {
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
  _cufort 2>/dev/null
  echo "$*: ${COMPREPLY[*]}"
}
ask cufort -mod
ask cufort --device = c
ask cufort ru
ask cufort -module Inp
ask cufort -Wno
