#!/bin/bash
# A clone cannot trust itself: the folder that says what is trusted counts only if it is the user's, outside the project,
# and not reached through links below the user's data folder.
# shellcheck source=tests/attacks/trust_common
source "$(dirname "$0")/trust_common"
needs git
mkdir .handoff
printf 'agents:\n  - name: writer\n    command: [touch, %s/owned]\n' "$folder" >.handoff/config.yaml
a_plan
expect 0 trust
mkdir -p data .local/share
cp -r "$XDG_DATA_HOME/handoff" data/
cp -r "$XDG_DATA_HOME/handoff" .local/share/
expect 0 trust --revoke
hostile
cd .. && rm -rf project && victim project

# refused REASON: not trusted, whatever the folder says.
refused()
{
  expect 7 run plan.md --agent writer
  run doctor
  expect_out "$1"
  untouched
}

# The path, and so the name of the file, is the one that the attacker has foreseen.
XDG_DATA_HOME=$PWD/data refused "is inside the project, so it is not used"
XDG_DATA_HOME=$PWD/data expect 9 trust
XDG_DATA_HOME='' HOME=$PWD refused "is inside the project, so it is not used"
XDG_DATA_HOME=data refused "not used until a person trusts it: agents" # a relative path is none
ln -s "$PWD/data" "$folder/link"
XDG_DATA_HOME=$folder/link refused "is inside the project, so it is not used"
XDG_DATA_HOME='' HOME='' refused "neither XDG_DATA_HOME nor HOME names a folder"

# Links in place of the folder or the file.
mkdir -p "$folder/a/handoff" "$folder/b"
ln -s "$PWD/data/handoff/trust" "$folder/a/handoff/trust"
XDG_DATA_HOME=$folder/a refused "symbolic links are not followed"
XDG_DATA_HOME=$folder/a expect 9 trust
ln -s "$PWD/data/handoff" "$folder/b/handoff"
XDG_DATA_HOME=$folder/b refused "symbolic links are not followed"
mkdir -p "$folder/c/handoff/trust"
for file in data/handoff/trust/*; do ln -s "$PWD/$file" "$folder/c/handoff/trust/"; done
XDG_DATA_HOME=$folder/c refused "symbolic links are not followed"
rm "$folder"/c/handoff/trust/* && mkfifo "$folder/c/handoff/trust/$(basename data/handoff/trust/*)"
XDG_DATA_HOME=$folder/c refused "is not a file of yours"

# A folder or file of another user.
if [ "$(id -u)" = 0 ]; then
  cp -r data "$folder/d" && chown -R nobody "$folder/d/handoff/trust"
  XDG_DATA_HOME=$folder/d refused "belongs to another user"
  chown -R nobody "$folder/d/handoff"
  XDG_DATA_HOME=$folder/d refused "belongs to another user"
  chown root "$folder/d/handoff" "$folder/d/handoff/trust"
  XDG_DATA_HOME=$folder/d refused "is not a file of yours"
  # A whole .handoff of another user is refused, and doctor says so.
  chown nobody .handoff
  expect 1 doctor
  expect_out ".handoff is not used: it belongs to another user"
  expect 9 list
  expect_err "it belongs to another user"
  chown root .handoff
else
  skip "folders of another user" "only root can make them"
fi

# What is the user's is used, and others are kept out of it; a link above it is the user's own affair.
mkdir "$folder/real" && ln -s "$folder/real" "$folder/home"
umask 0
XDG_DATA_HOME=$folder/home expect 0 trust
umask 022
expect_that "others may look into it" [ "$(stat -c %a "$folder/real/handoff/trust" "$folder"/real/handoff/trust/* | tr '\n' ' ')" = "700 600 " ]
chmod 777 "$folder/real/handoff/trust"
XDG_DATA_HOME=$folder/home expect 0 trust --show
expect_that "others may still write there" [ "$(stat -c %a "$folder/real/handoff/trust")" = 700 ]
finish
