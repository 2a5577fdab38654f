#!/bin/bash
# A key that the released program makes is slow to guess; sanitized builds make quick ones (src/base/keypair.c).
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/key_common
source "$source_dir/tests/cli/key_common"
# shellcheck source=tests/cli/release_common
source "$source_dir/tests/cli/release_common"
export HOME=$folder
person 0 "correct horse" "correct horse" -- key new --name alice
expect_that "what a guess costs" grep -qE '^kdf argon2id 3 268435456 ' "$HOME/.config/handoff/key"
finish
