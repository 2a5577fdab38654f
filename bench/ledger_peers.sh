#!/bin/bash
# The ledger side by side with what others use for the same: LangGraph's SQLite checkpointer (a state goes to a gate, a
# person's decision resumes it; what is stored), and the MCP reference memory server (four processes write at once).
# The peers are installed into bench/js when this is first run; where that is not possible it says so and goes on.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
if ! cmp -s bench/js/package-lock.json bench/js/node_modules/.lockfile; then
  echo "installing the npm packages of bench/js"
  # One of them is compiled where no binary fits; the headers are those of Debian's libnode-dev.
  [ ! -e /usr/include/node/node.h ] || export npm_config_nodedir=/usr
  if (cd bench/js && timeout 1200 npm ci --loglevel=error --no-progress --no-audit --no-fund) >"$folder/log" 2>&1; then
    cp bench/js/package-lock.json bench/js/node_modules/.lockfile
  else
    echo "peers    skipped: npm cannot install them here: $(grep -m1 -i error "$folder/log" || tail -1 "$folder/log")"
    exit 0
  fi
fi
compile ledger_gates_bench
node bench/js/peers.mjs "$folder" "$folder/ledger_gates_bench"
