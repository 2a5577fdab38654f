#include "base/proc/confine.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than some headers. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

enum { REFER = 2, TRUNCATE = 3 }; /* the versions that know them; without the first, files cannot change folders */

static const uint64_t contents = LANDLOCK_ACCESS_FS_WRITE_FILE,
                      names = LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                              LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                              LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                              LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER;

int ho_confine_version(void)
{
#if defined HO_UNCONFINED || defined HO_FAULT
  return 0; /* what such builds write about themselves is elsewhere */
#endif
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < REFER ? 0 : (int)version;
}

static void allow(int rules, const char *path, uint64_t what)
{
  struct landlock_path_beneath_attr rule = {.allowed_access = what, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
  if (rule.parent_fd < 0)
    return;
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
}

void ho_confine_writes(const char *const *folders, size_t count)
{
  int version = ho_confine_version();
  uint64_t content = contents | (version < TRUNCATE ? 0 : LANDLOCK_ACCESS_FS_TRUNCATE);
  struct landlock_ruleset_attr handled = {.handled_access_fs = content | names};
  int rules = version ? (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0) : -1;
  if (rules < 0)
    return;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || strcmp(folders[i], folders[i - 1]) != 0)
      allow(rules, folders[i], content | names);
  allow(rules, "/dev/null", content);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

typedef struct errand {
  const char *const *folders;
  size_t count;
  void (*work)(void *data);
  void *data;
} errand;

static void *go(void *data)
{
  const errand *e = data;
  ho_confine_writes(e->folders, e->count);
  e->work(e->data);
  return NULL;
}

bool ho_confine_call(const char *const *folders, size_t count, void (*work)(void *data), void *data)
{
  pthread_t thread;
  errand e = {folders, count, work, data};
  return pthread_create(&thread, NULL, go, &e) == 0 && pthread_join(thread, NULL) == 0;
}
