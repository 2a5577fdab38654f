/* What can be observed: git's head, whether the tree is clean, digests of files and folders. And the one way to run
 * git. */
#ifndef HO_ENGINE_PROJECT_GIT_H
#define HO_ENGINE_PROJECT_GIT_H

#include "base/digest.h"
#include "base/fs.h"
#include "engine/project/paths.h"

/* The commit that is checked out, or "". Read from git's files; no program is started. */
ho_str ho_git_head(ho_arena *arena, ho_str root);
/* The name of the branch that is checked out, or "". Likewise. */
ho_str ho_git_branch(ho_arena *arena, ho_str root);
typedef enum ho_clean_tree { HO_TREE_UNKNOWN, HO_TREE_CLEAN, HO_TREE_CHANGED } ho_clean_tree;
/* Have tracked files changed, apart from those that handoff itself writes? Asks git, for at most two seconds;
 * unknown without a repository. */
ho_clean_tree ho_git_tree(ho_arena *arena, ho_str root, const ho_paths_written *written);
ho_str ho_git_tree_name(ho_clean_tree tree); /* "clean", "changed", or "" if unknown */

/* What git calls changed or untracked, one per line, as in `git status --porcelain`, apart from what handoff itself writes; only
 * the first lines if there are very many. Asks git, for at most two seconds; false if unknown. */
bool ho_git_changes(ho_arena *arena, ho_str root, const ho_paths_written *written, ho_str *out);

/* The text that git's newest commit has of a file, by its path from the root, and no more than 4 MB of it; false if it has none. Asks git, for
 * at most two seconds. */
bool ho_git_committed(ho_arena *arena, ho_str root, const char *path, ho_str *out);

/* When the file was first committed, in seconds since 1970; 0 if unknown. Asks git, for at most ten seconds. */
int64_t ho_git_first_commit(ho_arena *arena, ho_str path);

enum { HO_GIT_SAID = 256 };
typedef struct ho_git_order {
  ho_str root;             /* of the work tree; git looks for no other */
  const char *const *args; /* the command and its arguments, NULL-ended */
  int64_t ms;              /* in all */
  bool writes;             /* it changes the repository, which must then be a plain one of this folder */
  bool checks_out;         /* it writes files of the work tree, for which filters of the user's may run */
  const char **why; /* not NULL: set to a clause that says why git is not asked, or to what it says if it fails */
} ho_git_order;
/* Runs git there: no hook, no program that the repository's configuration names, no network; git's variables in the
 * environment do not count. Up to `most` bytes of its output, after which it is ended; -1 if there is no repository, or
 * a stranger's, or git failed or took too long. What writes can write in the project only, if the system has Landlock
 * and none of the user's filters may run. */
ssize_t ho_git_run(ho_arena *arena, const ho_git_order *order, char *bytes, size_t most);

/* Digest and size of a file, or of a folder (over the names and digests of its files). HO_NOT_FOUND if there is
 * none. */
ho_code ho_git_digest(ho_arena *arena, const char *path, char out[HO_DIGEST_SIZE], int64_t *size,
                      ho_error *err) HO_NODISCARD;
#endif
