#!/bin/bash
# `handoff serve`: reads per second over HTTP beside the least that a server with libevent does, tools called over /mcp beside the
# reference memory server, what an idle server with 1,000 streams does, and whether a server that is killed under load has lost
# anything that it acknowledged.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
server=$(dirname "$(readlink -f "${HANDOFF:-build/handoff}")")/handoff-server
[ -x "$server" ] || { echo "serve    handoff-server is not beside build/handoff; run: scripts/build release"; exit 1; }
gcc -O2 -D_GNU_SOURCE -o "$folder/http_load" bench/http_load.c
gcc -O2 -o "$folder/http_bare" bench/http_bare.c -levent_core -levent_extra
HANDOFF=$(dirname "$server")/handoff node bench/lib_serve.mjs "$folder"
