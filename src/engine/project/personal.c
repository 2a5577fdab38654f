#include "engine/project/personal.h"

#include <limits.h>
#include <stdlib.h>

#include "base/digest.h"
#include "base/private.h"

static ho_private place_of(const ho_personal *kept)
{
  return (ho_private){.folder = ho_private_data(kept->arena),
                      .kind = kept->kind,
                      .apart = {ho_arena_z(kept->arena, kept->home), ho_arena_z(kept->arena, kept->root)}};
}

/* The file's name: the digest of the path under which the project is known, whatever links led there. */
static const char *name_of(const ho_personal *kept)
{
  char real[PATH_MAX], digest[HO_DIGEST_SIZE];
  const char *home = ho_arena_z(kept->arena, kept->home);
  ho_digest_text(ho_str_of(realpath(home, real) ? real : home), digest);
  return ho_arena_z(kept->arena, ho_str_of(digest));
}

ho_code ho_personal_read(const ho_personal *kept, ho_str *out, ho_error *err)
{
  ho_private place = place_of(kept);
  return ho_private_read(kept->arena, &place, name_of(kept), out, err);
}

ho_code ho_personal_write(const ho_personal *kept, ho_str content, ho_error *err)
{
  ho_private place = place_of(kept);
  return ho_private_write(kept->arena, &place, name_of(kept), content, err);
}

typedef struct changing {
  const ho_personal *kept;
  ho_personal_change change;
  void *data;
} changing;

static ho_code change_locked(void *data, ho_error *err)
{
  const changing *c = data;
  ho_str old = HO_EMPTY;
  ho_buf text;
  ho_error none = {0};
  ho_code code = ho_personal_read(c->kept, &old, &none);
  if (code && code != HO_NOT_FOUND)
    return *err = none, code;
  ho_buf_init(&text, 0);
  code = c->change(c->data, code ? HO_EMPTY : old, &text, err);
  if (!code)
    code = ho_buf_code(&text, err);
  if (!code)
    code = ho_personal_write(c->kept, ho_buf_str(&text), err);
  ho_buf_free(&text);
  return code;
}

ho_code ho_personal_update(const ho_personal *kept, ho_personal_change change, void *data, ho_error *err)
{
  ho_private place = place_of(kept);
  changing c = {kept, change, data};
  return ho_private_alone(kept->arena, &place, change_locked, &c, err);
}

ho_code ho_personal_remove(const ho_personal *kept, ho_error *err)
{
  ho_private place = place_of(kept);
  return ho_private_remove(kept->arena, &place, name_of(kept), err);
}
