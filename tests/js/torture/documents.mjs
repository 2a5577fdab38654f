// Documents for torture.mjs: no two say nearly the same, so that a gate of one is never inherited by another.

const words = `amber basin cedar delta ember fjord glade heron inlet jetty kiosk ledge maple notch ocean prism quartz ridge
  sable tidal umber vivid wharf xenon yield zebra anvil birch cliff drift easel flint grove hatch ivory joist knoll latch
  mirth north orbit plume quill raven shale thorn ultra vault wedge yacht zonal arbor bluff crest dune eddy frost gulch
  haven islet jewel kelp lagoon marsh nexus oasis peak quarry rapid steppe trench upland valley wadi`.split(/\s+/);

export class Documents {
  constructor(below) {
    this.below = below;
  }

  text(count) {
    return Array.from({ length: count }, () => words[this.below(words.length)]).join(' ');
  }

  package({ from, to, type, deadline, summary = this.text(14) }) {
    return `handoff:
  timestamp: "2026-03-09T16:20:00Z"
${type ? `  type: ${type}\n` : ''}${deadline ? `  x_deadline: "${deadline}"\n` : ''}  from:
    agent: ${from}
    step: ${words[this.below(words.length)]}
  to:
    agent: ${to}
    reason: The plan of ${this.text(4)} is ready to be built
  context:
    summary: ${summary} with ${this.below(90) + 2} tests in ${this.below(9) + 2} files
    decisions:
      - decision: Read ${this.text(4)} as a stream
        rationale: Since ${this.text(6)} is larger than the memory
    artifacts: []
    open_questions: []
  expectations:
    deliverable: Code of ${this.text(5)}
    constraints:
      - No ${this.text(2)}
    success_criteria:
      - All tests of ${this.text(3)} pass
  workflow_state:
    name: ${this.text(1)}
    current_step: 2
`;
  }

  gate({ from, deadline }) {
    return `handoff:
  timestamp: "2026-03-09T16:20:00Z"
  from:
    agent: ${from}
    step: plan
  to:
    agent: human
    reason: A person has to approve ${this.text(4)}
  gate:
    type: blocking
    name: Plan of ${this.text(3)}
    step: plan
  context:
    summary: ${this.text(14)} in ${this.below(90)} callers
    artifacts: []
  validation_request:
    items:
      - The two functions of ${this.text(3)} are replaced
    options:
      approve: ${this.text(3)} is built
      reject: ${this.text(3)} is planned anew
      question: The planner answers
${deadline ? `  deadline: "${deadline}"\n` : ''}`;
  }

  artifact() {
    return `# Phase 1 Handoff - 20260309T162000Z

**Task**: ${this.below(900) + 100}

## Immediate Next Action
Run \`make ${this.text(1)}\` and read line ${this.below(90)} of ${this.text(1)}.log

## Current State
- **File**: /src/${this.text(1)}.c
- **Location**: Line ${this.below(900)}, in ${this.text(1)}
- **Goal state**: ${this.text(6)}

## Key Decisions Made
1. Use ${this.text(3)}: ${this.text(5)}

## What NOT to Try
1. ${this.text(3)}: ${this.text(5)}

## Critical Context (max 5 items)
- ${this.text(7)}

## References (read only if stuck)
- Plan: docs/${this.text(1)}.md, Phase 1
`;
  }

  task() {
    return `outcome: completed
files_created:
  - path: src/${this.text(1)}.c
    purpose: ${this.text(4)}
patterns_discovered:
  - pattern: Every ${this.text(4)}
gotchas:
  - issue: The ${this.text(5)}
    severity: high
suggested_next_steps:
  - step: Measure ${this.text(3)}
`;
  }

  request(task = `${this.text(1)}-${this.below(1e9)}`) {
    return JSON.stringify({ task_id: task, phase: 'research', mode: 'code',
      context: { feature: this.text(2), relevant_files: [], constraints: [this.text(4)] },
      instructions: `Find ${this.text(9)}`, expected_output: 'structured_findings' });
  }

  response(request, decision) {
    return JSON.stringify({ task_id: request.task_id, phase: 'research', mode: 'code', status: 'complete', decision,
      findings: { existing_patterns: [], files_examined: [] }, context_summary: `${this.text(9)}.`, issues: decision === 'STOP' ? [this.text(4)] : [], tokens_used: 800 });
  }

  ack(id) {
    return `acknowledgment:\n  handoff: ${id}\n  received: true\n  from: alpha\n  understood:\n    task: Build ${this.text(5)}\n  questions: []\n  blockers: []\n  starting: true\n`;
  }
}
