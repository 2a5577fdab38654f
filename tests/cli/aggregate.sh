#!/bin/bash
# aggregate: how many of several results have to pass.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"

# response NAME STATUS DECISION FINDINGS
response()
{
  printf '{"task_id":"review","phase":"validate","status":"%s","decision":"%s","findings":%s,' "$2" "$3" "$4" >"$1.json"
  printf '"context_summary":"Reviewed src/a.c","tokens_used":10}\n' >>"$1.json"
}
response good1 complete PROCEED '{"checks":{"lint":{"passed":true}},"overall_passed":true}'
response good2 complete PROCEED '{}'
response stopped complete STOP '{"blocking_issues":["Too slow"]}'
response lies complete PROCEED '{"files_created":[{"path":"no/such.c","purpose":"x"}]}'
response failed complete PROCEED '{"checks":{"tests":{"passed":false}},"overall_passed":false}'
printf '{"status":"implemented","artifacts":[]}' >meta.json
printf '{"status":"partial"}' >half.json
printf 'no JSON' >broken.json

expect 0 aggregate --rule all good1.json good2.json meta.json
expect_out "3 of 3 passed, rule all: passed"
expect 1 aggregate --rule all good1.json half.json
expect_out "1 of 2 passed, rule all: failed"
expect 0 aggregate --rule any failed.json good1.json broken.json
# No rule outvotes a STOP.
expect 1 aggregate --rule any stopped.json good1.json broken.json
expect_out "stop   stopped.json: Too slow"
expect_out "1 of 3 passed, rule any: stopped, since a STOP is not outvoted"
expect 1 aggregate --rule any stopped.json failed.json lies.json broken.json half.json
expect_out "no/such.c, which does not exist"
expect_out "0 of 5 passed, rule any: stopped"
expect 1 aggregate --rule any failed.json lies.json
expect_out "0 of 2 passed, rule any: failed"
expect 0 aggregate --rule majority good1.json good2.json failed.json
expect 1 aggregate --rule majority good1.json good2.json stopped.json --json
expect_json "$folder/out" 'v.decision === "STOP" && v.aggregation.overall_passed && v.issues[0] === "stopped: Too slow" && v.results[2].type === "validate" &&
  v.results[2].details.blocking_issues[0] === "Too slow" && v.results[2].issues[0] === "Too slow" && v.results[0].issues.length === 0'
expect 1 aggregate --rule majority good1.json stopped.json
expect 0 aggregate --rule 2 good1.json good2.json failed.json lies.json
expect 1 aggregate --rule 3 good1.json good2.json stopped.json
expect 1 aggregate --rule 5 good1.json good2.json
expect 1 aggregate --rule majority good1.json failed.json stopped.json --json
expect_json "$folder/out" 'v.aggregation.total === 3 && v.aggregation.passed === 1 && v.aggregation.failed === 2 &&
  v.aggregation.rule === "majority" && v.aggregation.overall_passed === false && v.results[0].passed === true &&
  v.results[1].outcome === "done" && v.results[1].passed === false'
expect 5 aggregate --rule all good1.json nowhere.json
expect 2 aggregate --rule most good1.json
expect_err "is not a rule"
expect 2 aggregate --rule 0 good1.json
expect 2 aggregate good1.json
expect 2 aggregate --rule all
finish
