#!/bin/bash
# The commands that read what strangers wrote cannot change files outside the project, even if a document made them try:
# Landlock.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
needs strace git python3
strace -o /dev/null true 2>/dev/null || skip_test "processes cannot be traced here"
python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 2)' || skip_test "the kernel offers no Landlock"
expect 0 doctor
expect_out "cannot write elsewhere (Landlock"

# confined ARGUMENT...: the command restricts itself before it reads a document, and so do its threads and children.
confined()
{
  last="$*"
  strace -f -qq -y -e trace=landlock_restrict_self,openat,openat2 -o "$folder/trace" "$handoff" "$@" >"$folder/out" 2>"$folder/err"
  expect_that "it does not restrict itself" grep -q 'landlock_restrict_self.* = 0' "$folder/trace"
  expect_that "it read $document before that" eval \
    '! sed "/landlock_restrict_self/q" "$folder/trace" | grep -v O_PATH | grep -q "$document"'
}
fresh
git init -q . 2>/dev/null
expect 0 init
document=one.yaml
confined check one.yaml
confined fix one.yaml
confined convert one.yaml --to task
confined show one.yaml
printf '{"session_id":"s1","transcript_path":"%s","cwd":"%s","hook_event_name":"SessionStart","source":"startup"}' "$folder/t.jsonl" "$PWD" >"$folder/event"
document=t.jsonl
confined hook claude <"$folder/event"

# What is not allowed fails: git, which such a command starts, stands for whatever a document might start.
mkdir "$folder/bin"
cat >"$folder/bin/git" <<END
#!/bin/sh
echo tried >"$folder/tried"
echo bad >"$victim/letter.txt"
rm -f "$victim/.bashrc"
mv "$victim/sub" "$victim/moved"
ln -s / "$victim/link"
echo >"$victim/new"
echo fine >"$PWD/inside"
exec $(command -v git) "\$@"
END
chmod +x "$folder/bin/git"
sed '/^  timestamp/d' one.yaml >untimed.yaml
mkdir -p specs/7_relay/handoffs
printf '# Phase 1 Handoff\n\n## Immediate Next Action\n\nWrite it.\n' >specs/7_relay/handoffs/phase-1-handoff.md
git add -A && git -c user.name=a -c user.email=a@b commit -qm one
PATH=$folder/bin:$PATH run fix --rename specs/7_relay/handoffs/phase-1-handoff.md
untouched "a program that fix started"
expect_that "the program was not started, or could not write in the project either" [ -s inside ]
expect_that "a file outside was written" [ ! -e "$folder/tried" ]

# Files that a person names elsewhere are written as ever.
mkdir "$folder/elsewhere" && cp one.yaml "$folder/elsewhere/a.yaml"
sed -i 's/^handoff:/handoff: /' "$folder/elsewhere/a.yaml"
expect 0 fix "$folder/elsewhere/a.yaml"
expect 0 convert one.yaml --to package --as json -o "$folder/elsewhere/b.json"
expect_that "the file that was named was not written" [ -s "$folder/elsewhere/b.json" ]
finish
