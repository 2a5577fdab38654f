#!/bin/bash
# Allocations of a lead fail, one after another: exit 11, and started again it carries the plan to its end; nothing is done
# twice. RUN_FAULT_STEP says how many are passed over from one to the next (1501; 1: none).
set -uo pipefail
handoff=${HANDOFF:?the program to test}
step=${RUN_FAULT_STEP:-1501}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/project" && cd "$folder/project" || exit
plan=specs/7_small/plans/implementation-001.md
cat >teammate <<'END'
#!/bin/sh
unset HANDOFF_FAULT_ALLOC
echo "$HANDOFF_PHASE" >>effects
printf '{"status": "implemented", "summary": "Phase %s is written", "completion_data": {"completion_summary": "Written"}}' "$HANDOFF_PHASE" >"$HANDOFF_META"
END
chmod +x teammate
failed=0 quiet=0

begin()
{
  rm -rf .handoff specs effects
  mkdir -p specs/7_small/plans
  printf '# Implementation Plan: Small\n\n- **Task**: 7 - small\n- **Status**: [NOT STARTED]\n' >"$plan"
  printf '\n### Phase %s: Part %s [NOT STARTED]\n\n**Dependencies**: %s\n\n**Goal**: It is there.\n' 1 1 None 2 2 'Phase 1' >>"$plan"
}

for ((n = 1; quiet < 3; n += step)); do
  begin
  HANDOFF_FAULT_ALLOC=$n timeout 60 "$handoff" run "$plan" --agent ./teammate >"$folder/out" 2>"$folder/err"
  status=$?
  case $status in
    0) quiet=$((quiet + 1)) ;;
    11) quiet=0 ;;
    *) echo "FAILED: allocation $n: exit status $status: $(head -3 "$folder/err")" && failed=$((failed + 1)) ;;
  esac
  if [ "$status" != 0 ] && ! timeout 60 "$handoff" run "$plan" --agent ./teammate >"$folder/out" 2>"$folder/err"; then
    echo "FAILED: allocation $n: the next run does not end well: $(head -3 "$folder/err")" && failed=$((failed + 1))
  fi
  [ "$(sort effects | paste -sd,)" = 1,2 ] || { echo "FAILED: allocation $n: effects $(paste -sd, effects)" && failed=$((failed + 1)); }
  [ "$failed" -lt 5 ] || break
done
echo "run: up to allocation $n"
exit $((failed > 0))
