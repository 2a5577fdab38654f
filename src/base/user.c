#include "base/user.h"

#include <unistd.h>

#include "base/fs.h"

enum { LARGEST = 16 << 20 }; /* bytes of /etc/passwd that are read: some hundred thousand accounts */

ho_str ho_user_find(ho_str accounts, uid_t user)
{
  ho_str line, name, password, number;
  uint64_t value;
  while (ho_str_next_line(&accounts, &line))
    if (ho_str_next(&line, ':', &name) && ho_str_next(&line, ':', &password) && ho_str_next(&line, ':', &number) &&
        name.n && ho_str_to_u64(number, &value) && value == user)
      return name;
  return HO_EMPTY;
}

ho_str ho_user_name(ho_arena *arena)
{
  ho_error err = {0};
  ho_str accounts, name = HO_EMPTY;
  if (ho_fs_read(arena, "/etc/passwd", LARGEST, &accounts, &err) == HO_OK)
    name = ho_user_find(accounts, geteuid());
  if (!name.n)
    name = ho_str_of(getenv("USER"));
  if (!name.n)
    name = ho_str_of(getenv("LOGNAME"));
  return name.n ? ho_fs_text(arena, name) : HO_STR("unknown");
}
