#!/bin/bash
# A clone configures as a build folder does that has been there for long: no CMake file uses a variable that none sets. One
# that was renamed in some of its places goes on working wherever the cache still has its old name, and nowhere else.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# configured DIR [OPTION...]: what CMake says of variables, in a folder that has no cache yet.
configured()
{
  local from=$1 build said
  shift
  build=$(mktemp -d "$tree/build.XXXXXX")
  said=$(cmake -G Ninja --warn-uninitialized "$@" -S "$from" -B "$build" 2>&1) ||
    { echo "$said"; return 1; }
  # "CMake Warning (dev) at tests/CMakeLists.txt:36 (target_link_libraries):", and the line behind it
  awk '/^CMake Warning .* at /{place = $5} /uninitialized variable/{print place ": nothing sets " $NF}' <<<"$said" | sort -u
}

check_tree()
{
  local wrong
  wrong=$(configured "$1" && configured "$1" -DHO_FAULT=ON && configured "$1" -DHO_FUZZ=ON)
  [ -z "$wrong" ] || { sort -u <<<"$wrong"; return 1; }
}

mkdir "$tree/part"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(part LANGUAGES NONE)\nset(EVENT_A 1)\nadd_subdirectory(part)\n' >"$tree/CMakeLists.txt"
# shellcheck disable=SC2016 # CMake's variables, not the shell's
{
  echo 'message("${EVENT_A}")' >"$tree/part/CMakeLists.txt"
  accepts "a variable that another file sets"
  printf '\nmessage("${EVENT}")\n' >>"$tree/part/CMakeLists.txt"
}
rejects "part/CMakeLists.txt:3: nothing sets 'EVENT'"

check_tree "$PWD"
