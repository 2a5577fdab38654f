/* Who the program runs as: by /etc/passwd, else by the environment. */
#include "../unit.h"

#include <unistd.h>

#include "base/user.h"

static void finds_accounts(void **state)
{
  (void)state;
  ho_str accounts = HO_STR("root:x:0:0:root:/root:/bin/bash\n"
                           "broken\n"
                           "::7:7:::\n"
                           "+nis::::::\n"
                           "odd:x:07x:7:::\n"
                           "ana:x:1000:1000:Ana,,,:/home/ana:/bin/sh\n"
                           "also:x:1000:1000:::\r\n"
                           "last:x:4294967294:1");
  assert_str(ho_user_find(accounts, 0), "root");
  assert_str(ho_user_find(accounts, 1000), "ana");
  assert_str(ho_user_find(accounts, (uid_t)-2), "last");
  assert_str(ho_user_find(accounts, 7), "");
  assert_str(ho_user_find(accounts, 100), "");
  assert_str(ho_user_find(HO_EMPTY, 0), "");
}

static void names_somebody(void **state)
{
  (void)state;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  assert_int_not_equal(ho_user_name(&arena).n, 0);
  assert_int_equal(ho_arena_code(&arena, &(ho_error){0}), HO_OK);
  ho_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_accounts),
      cmocka_unit_test(names_somebody),
  };
  return unit_run(tests);
}
