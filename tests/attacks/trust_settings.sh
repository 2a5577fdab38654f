#!/bin/bash
# The settings of a clone start nothing and turn nothing off until a person trusts them, and again after they change.
# shellcheck source=tests/attacks/trust_common
source "$(dirname "$0")/trust_common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs git
secret=ghp_$(printf 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8' | cut -c1-36)

mkdir .handoff bin
cat >.handoff/config.yaml <<END
secrets: allow
notify: [touch, $folder/owned]
agents:
  - name: writer
    command: [sh, -c, 'touch $folder/owned']
  - name: claude-fast
    command: [./bin/agent]
    harness: claude
lease: 60
END
printf '#!/bin/sh\ntouch %s/owned\n' "$folder" >bin/agent && chmod +x bin/agent
a_plan
package ask.yaml estimation human escalation
package s.yaml lead coder '' "Use $secret to log in, then write down the 3 epics and the 12 user stories"
hostile
victim clone

# Agents of the settings are not started, by whatever way they are named.
for agent in writer claude-fast; do
  expect 7 run plan.md --agent "$agent"
  expect_err "agent '$agent' in .handoff/config.yaml is not started until a person trusts it; run: handoff trust"
done
untouched

# People are not notified by a stranger's command, and the command says so once. The old way to allow it is gone.
HANDOFF_NOTIFY=1 expect 0 send ask.yaml
expect_err "the command 'notify' in .handoff/config.yaml is not used until a person trusts it; run: handoff trust"
expect_that "it is said more than once" [ "$(grep -c 'handoff trust' "$folder/err")" = 1 ]
untouched

# Credentials are taken out all the same.
expect 0 send s.yaml
expect_err "'secrets: allow' in .handoff/config.yaml is not used until a person trusts it; run: handoff trust"
expect_that "the credential is stored" bash -c "! grep -rqaF '$secret' .handoff state"
expect 0 doctor
expect_out "not used until a person trusts it: agents, notify, secrets"
expect 0 config secrets
expect 0 config
expect_out "secrets: allow (.handoff/config.yaml, not trusted)"

# What does not need trust holds, and commands that use none of this say nothing.
expect 0 config lease
expect_out_is 60
expect 0 list
expect_no_err
expect 0 log
expect_no_err

# Looking at it is not trusting it.
expect 1 trust --show
expect_out "agents (not trusted):"
expect_out "touch $folder/owned"
expect 7 run plan.md --agent writer

# Once a person trusts it, it is used; elsewhere it is not.
expect 0 trust
expect_out "touch $folder/owned"
expect_out "agents is trusted"
expect 0 trust --show
expect_json <("$handoff" trust --show --json) 'v.items.length === 3 && v.items.every(i => i.state === "trusted")'
sed -i 's/3 epics/4 epics/' s.yaml
expect 0 send s.yaml
expect_err "is stored unchanged"
expect_that "trusted settings are not used" grep -rqaF "$secret" .handoff
sed -i 's/3 epics/5 epics/' ask.yaml
expect 0 send ask.yaml
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$folder/owned" ] || sleep 0.2; done
expect_that "nobody was notified" [ -e "$folder/owned" ]
rm -f "$folder/owned"
run run plan.md --agent writer --max-successors 1
expect_that "the trusted agent was not started" [ -e "$folder/owned" ]
rm -f "$folder/owned"
victim other
expect 7 run plan.md --agent writer
expect 1 trust --show
untouched

# What changes after that, by a pull or by an agent, is not used again.
cd ../clone || exit
sed -i 's/claude-fast/claude-slow/' .handoff/config.yaml
git checkout -q plan.md
expect 7 run plan.md --agent writer
expect 1 trust --show
expect_out "agents (changed):"
expect_out "notify (trusted):"
run run plan.md --agent claude-slow --json
expect_that "a changed agent was started" [ "$status" = 7 ]
sed -i 's/notify: .touch/notify: [echo, touch/' .handoff/config.yaml
sed -i 's/5 epics/6 epics/' ask.yaml
expect 0 send ask.yaml
expect_err "until a person trusts it again; run: handoff trust"
untouched
sed -i 's/claude-slow/claude-fast/' .handoff/config.yaml
expect_json <("$handoff" trust --show --json) 'v.items.find(i => i.item === "agents").state === "trusted"'

# A linked worktree shares the trust of the main one.
git worktree add -q "$folder/linked" && cd "$folder/linked" || exit
expect_json <("$handoff" trust --show --json) 'v.items.find(i => i.item === "agents").state === "trusted"'

# Revoking it ends all of it.
expect 0 trust --revoke
expect_out "agents is not trusted"
cd ../clone || exit
expect 7 run plan.md --agent writer
untouched

# What the person types always wins, whatever the settings say; a plan of their own needs no trust at all.
victim third
printf '#!/bin/sh\ntouch %s/mine\n' "$folder" >"$folder/mine.sh" && chmod +x "$folder/mine.sh"
run run plan.md --agent "$folder/mine.sh" --max-successors 1
expect_that "the person's own command was not started" [ -e "$folder/mine" ]
untouched
mkdir ../normal && cd ../normal || exit
expect 0 init
expect 0 trust
expect_err "the project has nothing that needs trust"
expect_that "a file was made for nothing" [ "$(find "$XDG_DATA_HOME" -type f | wc -l)" = 0 ]
expect 0 doctor
expect_out "the project has nothing that needs trust"
finish
