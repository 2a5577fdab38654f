#!/bin/bash
# Each package of `make dist` can be installed, works there, and goes again; all have what is linked in, with its licences;
# and the action and the pre-commit hook, which install them, work with them.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
needs dpkg-deb
# shellcheck source=tests/cli/release_common
source "$source_dir/tests/cli/release_common"
dist=$folder/dist
[ -f "$source_dir/build/release/share/handoff/o200k_base.image" ] || skip_test "the token ranks are missing"
: >"$folder/err"
last='make dist'
"$source_dir/scripts/dist" "$dist" >"$folder/out" 2>"$folder/err" || { cat "$folder/err"; exit 1; }
sums_hold() { (cd "$dist" && sha256sum -c --quiet SHA256SUMS); }
expect_that "the sums are others" sums_hold
tarball=$(find "$dist" -name '*-linux-*.tar.gz') deb=$(find "$dist" -name '*.deb') npm=$(find "$dist" -name '*.npm.tgz')
version=$("$handoff" version | sed -n '1s/handoff //p')
name=$(basename "$tarball" .tar.gz)
digest=$(sha256sum <"$tarball" | cut -d ' ' -f 1)
cp "$source_dir"/examples/package{,-bad}.yaml "$source_dir/LICENSE" .
mkdir -p docs src/import && touch src/import/csv.py docs/import-format.md

# works WHAT PROGRAM: the installed program does its work and finds its data.
works()
{
  last="($1) version"
  expect_that "$2 does not run" grep -qx "handoff $version" < <("$2" version)
  expect_that "it does not find the token image" grep -q o200k_base < <("$2" tokens package.yaml)
  "$2" check package.yaml >"$folder/out" 2>"$folder/err"
  expect_that "check fails" [ $? = 0 ]
  last="($1) serve"
  "$2" serve --listen nonsense >"$folder/out" 2>"$folder/err"
  expect_that "it does not find the server" [ $? = 2 ]
  expect_err "write it as 127.0.0.1:8420"
}
# complete WHAT PREFIX: what every package has, below its prefix.
complete()
{
  local page=$2/share/man/man1/handoff-gate-raise.1
  last="($1) what it has"
  expect_that "no page per command" test -s "$page" -o -s "$page.gz"
  expect_that "no completion" bash -n "$2/share/bash-completion/completions/handoff"
  expect_that "no schemas" test -s "$2/share/handoff/schemas/package.json"
  expect_that "no SBOM" cmp -s "$2/share/doc/handoff/handoff.spdx.json" "$dist/$name.spdx.json"
  for library in libyaml cmark libsodium sqlite3 libevent glibc gpt-tokenizer; do
    expect_that "no notice of $library" grep -q "^==== $library [0-9]" "$2/share/doc/handoff/linked-libraries.txt"
  done
  expect_that "something has a path of this machine" test -z "$(grep -rlF -e "$source_dir" -e "$folder" "$2")"
}
tree() { (cd "$1" && find . -printf '%y %p %l\n' | sort); }

# The tarball, as whoever has no compiler, with a POSIX shell.
tar -xzf "$tarball" -C "$folder"
complete tarball "$folder/$name"
mkdir -p "$folder/prefix/bin" && echo mine >"$folder/prefix/bin/other"
tree "$folder/prefix" >"$folder/before"
for does in install uninstall; do
  PREFIX=$folder/prefix "$folder/$name/$does" --help >"$folder/out" 2>"$folder/err"
  expect_that "$does does not say how it is used" [ $? = 2 ]
  expect_err "./$does"
done
PREFIX=$folder/prefix "$folder/$name/install" >"$folder/out" 2>"$folder/err"
expect_that "it is not installed" [ $? = 0 ]
works tarball "$folder/prefix/bin/handoff"
PREFIX=$folder/prefix "$folder/$name/install" >"$folder/out" 2>"$folder/err"
expect_that "it is not installed again" [ $? = 0 ]
PREFIX=$folder/prefix "$folder/$name/uninstall" >"$folder/out" 2>"$folder/err"
expect_that "it is not removed" [ $? = 0 ]
expect_that "uninstalling leaves or takes something" diff "$folder/before" <(tree "$folder/prefix")
echo x >>"$folder/$name/share/doc/handoff/LICENSE"
last='(tarball) a file that was changed'
PREFIX=$folder/other "$folder/$name/install" >"$folder/out" 2>"$folder/err"
expect_that "it is installed all the same" [ $? = 1 ]
expect_err "not those of the release"
expect_that "something was put there" test ! -e "$folder/other"

# Debian.
if has lintian "lintian reads the Debian package"; then
  last=lintian
  lintian --no-cfg --pedantic --fail-on none "$deb" >"$folder/out" 2>"$folder/err"
  expect_no_out
fi
root=$folder/root
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
touch "$root"/var/lib/dpkg/{status,available}
dpkg_there() { as_root dpkg --root="$root" --log="$folder/dpkg.log" --force-not-root --force-depends "$@" >"$folder/out" 2>"$folder/err"; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else unshare --map-root-user "$@"; fi; }
last='dpkg -i'
expect_that "it is not installed" dpkg_there -i "$deb"
works Debian "$root/usr/bin/handoff"
complete Debian "$root/usr"
expect_that "dpkg finds changed files" test -z "$(dpkg_there --verify handoff; cat "$folder/out")"
expect_that "it is not removed" dpkg_there --purge handoff
expect_that "something is left" test -z "$(find "$root/usr" -type f 2>/dev/null)"

# npm, offline; nothing runs while it is installed. The last one is what pre-commit does for `language: node`.
mkdir "$folder/npm" && echo '{"private": true}' >"$folder/npm/package.json"
npm_there() { (cd "$folder/npm" && npm install --offline --no-audit --no-fund --ignore-scripts --cache "$folder/cache" "$@" >"$folder/out" 2>"$folder/err"); }
last='npm install'
expect_that "it is not installed" npm_there "$npm"
works npm "$folder/npm/node_modules/.bin/handoff"
complete npm "$folder/npm/node_modules/handoff"
expect_that "it has scripts" test -z "$(grep scripts "$folder/npm/node_modules/handoff/package.json")"
expect_that "it is not installed for a hook" npm_there --global --prefix "$folder/env" "$npm"
while IFS= read -r entry; do
  last="pre-commit: $entry"
  PATH=$folder/env/bin:$PATH bash -c "$entry package.yaml" >"$folder/out" 2>"$folder/err"
  expect_that "the hook fails" [ $? = 0 ]
  PATH=$folder/env/bin:$PATH bash -c "$entry LICENSE" >"$folder/out" 2>"$folder/err"
  expect_that "the hook refuses a file that is not a handoff document" [ $? = 0 ]
done < <(sed -n 's/^ *entry: //p' "$source_dir/.pre-commit-hooks.yaml")
PATH=$folder/env/bin:$PATH bash -c "$(sed -n 's/^ *entry: //p;' "$source_dir/.pre-commit-hooks.yaml" | sed 1q) package-bad.yaml" >"$folder/out" 2>"$folder/err"
expect_that "the hook passes a bad document" [ $? = 4 ]

# The Dockerfile and the formula name what is there.
last=Dockerfile
world=$folder/world
mkdir "$world"
tar -xzf "$dist/$(sed -n 's/^ADD \([^ ]*\) .*/\1/p' "$dist/Dockerfile")" -C "$world"
entry=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$dist/Dockerfile")
expect_that "its entry point is not there" test -x "$world$entry"
expect_that "the server is not there" test -x "$(dirname "$world$entry")/../libexec/handoff/handoff-server"
expect_that "its path is not there" test -d "$world$(sed -n 's/^ENV PATH=//p' "$dist/Dockerfile")"
expect_that "it has another digest" grep -q "$digest" "$dist/Dockerfile"
if as_root chroot / true 2>/dev/null; then
  expect_that "it does not run there" grep -qx "handoff $version" < <(as_root chroot "$world" "$entry" version)
else
  skip "the entry point of the Dockerfile" "chroot is not permitted here"
fi
last=handoff.rb
expect_that "it has another digest" grep -q "sha256 \"$digest\"" "$dist/handoff.rb"
expect_that "it has another file" grep -q "/$name.tar.gz\"" "$dist/handoff.rb"
while IFS= read -r path; do
  expect_that "$path is not in the tarball" test -e "$world/$name/$path"
done < <(sed -n 's/.*\(bash_completion\|prefix\)\.install //p' "$dist/handoff.rb" | grep -o '"[^"]*"' | tr -d '"')

# The SBOM: what is linked in is named with the version that is installed here.
last=SBOM
expect_json "$dist/$name.spdx.json" 'v.spdxVersion === "SPDX-2.3" && v.packages.length >= 8 && v.packages.every(p =>
  p.versionInfo && p.licenseDeclared && (p.name === "handoff" || p.externalRefs[0].referenceLocator.startsWith("pkg:")) &&
  v.relationships.some(r => r.relatedSpdxElement === p.SPDXID))'
for package in libyaml-dev libcmark-dev libsodium-dev libsqlite3-dev libevent-dev libc6-dev; do
  source_version=$(dpkg-query -W -f '${source:Version}' "$package")
  expect_that "$package is not there in version $source_version" grep -qF "\"versionInfo\": \"$source_version\"" "$dist/$name.spdx.json"
done

# The action, with a release in a folder: its steps, as a runner runs them.
if has curl "the action"; then
  mkdir -p "$folder/releases/v$version" && cp "$tarball" "$folder/releases/v$version"
  (cd "$source_dir/tests/js" && node -e '
    const action = require("yaml").parse(require("fs").readFileSync("../../action.yml", "utf8"));
    action.runs.steps.forEach((s, i) => {
      if (/\$\{\{/.test(s.run) || s.shell !== "bash") throw Error("inputs are code in " + s.name);
      require("fs").writeFileSync(process.argv[1] + "/step" + i, s.run);
    });
    for (const [name, input] of Object.entries(action.inputs)) if (!input.description) throw Error(name);
  ' "$folder") >"$folder/out" 2>"$folder/err"
  last=action.yml
  expect_that "it cannot be read" [ $? = 0 ]
  # action DIGEST PATHS: both steps, in the project.
  action()
  {
    rm -rf "$folder/runner" && mkdir "$folder/runner"
    export RUNNER_TEMP=$folder/runner GITHUB_PATH=$folder/runner/path VERSION=$version SHA256=$1 PATHS=$2 RELEASES=file://$folder/releases
    bash -e "$folder/step0" && PATH=$(cat "$GITHUB_PATH"):$PATH bash -e "$folder/step1"
  }
  action "$digest" $'package.yaml\nsrc' >"$folder/out" 2>"$folder/err"
  expect_that "a good document fails" [ $? = 0 ]
  action "$digest" package-bad.yaml >"$folder/out" 2>"$folder/err"
  expect_that "a bad document passes" [ $? = 4 ]
  expect_out '::error file=package-bad.yaml'
  action "${digest//[0-9]/0}" package.yaml >"$folder/out" 2>"$folder/err"
  expect_that "another digest passes" [ $? != 0 ]
  expect_that "what has another digest is unpacked" test ! -e "$folder/runner/$name"
fi
finish
