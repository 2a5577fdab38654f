#!/bin/bash
# check: JSON, SARIF and GitHub annotations.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir 'a b,c%'
cat >'a b,c%/phase-1-progress.json' <<'END'
{"phase": 1,
 "objectives": [{"id": 1, "description": "é 漢 x", "status": "a:b,c%d\nx"}]}
END
expect 4 check . -o json
cp "$folder/out" "$folder/json"
expect 4 check . --json
expect_json "$folder/out" 'JSON.stringify(v) === JSON.stringify(JSON.parse(require("fs").readFileSync("'"$folder/json"'", "utf8")))'
expect_json "$folder/out" 'Object.keys(v).slice(0, 3).join() === "files,errors,warnings"'
expect_json "$folder/out" 'v.files[0].format === "progress" && v.files[0].path === "a b,c%/phase-1-progress.json"'
expect_json "$folder/out" 'v.files[0].findings.every(f => Object.keys(f).join() === "rule,severity,line,column,pointer,message,fix")'
expect_json "$folder/out" 'v.files[0].findings.every(f => f.line >= 1 && f.column >= 1 && f.fix.length)'
expect_json "$folder/out" 'v.files[0].findings.some(f => f.rule === "choice" && f.line === 2 && f.column === 61 && f.pointer === "/objectives/0/status")'

expect 4 check . -o sarif
expect_json "$folder/out" 'v.version === "2.1.0" && v.$schema.includes("sarif-2.1.0") && v.runs.length === 1'
expect_json "$folder/out" 'v.runs[0].tool.driver.name === "handoff" && v.runs[0].columnKind === "unicodeCodePoints"'
expect_json "$folder/out" 'v.runs[0].tool.driver.rules.every(r => r.id && r.shortDescription.text && r.help.text)'
expect_json "$folder/out" 'new Set(v.runs[0].tool.driver.rules.map(r => r.id)).size === v.runs[0].tool.driver.rules.length'
expect_json "$folder/out" 'v.runs[0].results.every(r => v.runs[0].tool.driver.rules[r.ruleIndex].id === r.ruleId)'
expect_json "$folder/out" 'v.runs[0].results.every(r => ["error", "warning", "note"].includes(r.level) && r.message.text)'
expect_json "$folder/out" 'v.runs[0].results.every(r => r.locations[0].physicalLocation.artifactLocation.uri === "a%20b%2Cc%25/phase-1-progress.json")'
expect_json "$folder/out" 'v.runs[0].results.some(r => r.ruleId === "choice" && r.locations[0].physicalLocation.region.startLine === 2 && r.locations[0].physicalLocation.region.startColumn === 61)'

expect 4 check . -o github
expect_out "::error file=a b%2Cc%25/phase-1-progress.json,line=2,col=61,title=choice::/objectives/0/status: "
expect_out "a:b,c%25d x"
expect_that "an annotation does not begin with ::" bash -c "! grep -qv '^::\(error\|warning\|notice\) file=' '$folder/out'"

mkdir clean
expect 0 check clean -o sarif
expect_json "$folder/out" 'v.runs[0].results.length === 0'
expect 0 check clean -o github
expect_no_out
expect 0 check clean -o json
expect_json "$folder/out" 'v.files.length === 0 && v.errors === 0'
finish
