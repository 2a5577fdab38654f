/* Git worktrees: the main one holds the store; and how paths are stored. */
#ifndef HO_ENGINE_PROJECT_WORKTREE_H
#define HO_ENGINE_PROJECT_WORKTREE_H

#include <limits.h>

#include "base/fs.h"

/* The folder of the main worktree if `root` is a linked git worktree; else root itself. */
ho_str ho_worktree_home(ho_arena *arena, ho_str root);
/* git's own folder for a worktree and the one that all worktrees share (the same in the main one); false if there is
 * no repository, or only a `.git` that leads to one which does not say that it is this folder's. */
bool ho_worktree_git(ho_arena *arena, ho_str root, ho_str *own, ho_str *shared);
/* The git repository around `folder` if it is below `root` and not a worktree of it; else "". */
ho_str ho_worktree_nested(ho_arena *arena, ho_str root, ho_str folder);
/* Calls visit for the main worktree `home` and for each that is linked to it (and confirms it itself). */
void ho_worktree_each(ho_arena *arena, ho_str home, void (*visit)(void *data, ho_str root), void *data);
/* An absolute path as it is stored: relative to home if it is inside, else unchanged. */
ho_str ho_worktree_kept(ho_str home, ho_str full);
/* For ho_store_options: may an intent write there? data: the home's path, NUL-ended. True inside of it and of a worktree
 * that is linked to it; the place of a worktree that `run` has made is not the home's while that is gone. */
bool ho_worktree_may_write(void *data, const char *path, char below[PATH_MAX]);
/* Is the worktree that this path was in gone for good: is it in none that is there, and does git list none there? */
bool ho_worktree_gone(ho_arena *arena, const char *home, const char *path);
/* A path of a document, for whoever reads it in `root`: of one in a worktree that is gone, or on another machine, where the
 * same file is here, and that the path is not there. Any other unchanged. */
ho_str ho_worktree_said(ho_arena *arena, ho_str root, ho_str path);
#endif
