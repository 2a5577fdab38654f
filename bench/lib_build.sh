#!/bin/bash
# Shared by the benchmarks, which source it at the project's root: $folder, removed at the end, and what is compiled there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# compile NAME [SOURCE...]: $folder/NAME from bench/NAME.c, against the layers of the release.
compile()
{
  local name=$1 layers=(build/release/libho_{surface,command,engine,store,model,doc,base}.a)
  shift
  gcc -std=gnu17 -O2 -D_GNU_SOURCE '-DHO_VERSION="bench"' -Isrc -Iinclude "bench/$name.c" "$@" \
    -Wl,--start-group "${layers[@]}" -Wl,--end-group \
    -l:libsqlite3.a -l:libyaml.a -l:libcmark.a -l:libsodium.a -lm -lpthread -o "$folder/$name"
}

# compile_start: $folder/start (bench/start.c), and $folder/nothing, a program that does nothing.
compile_start()
{
  echo 'int main(void) { return 0; }' >"$folder/nothing.c"
  gcc -O2 -o "$folder/nothing" "$folder/nothing.c"
  gcc -O2 -o "$folder/start" bench/start.c
}
