#include "engine/ledger/key_file.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/fs.h"
#include "engine/project/identity.h"

#define FIRST_LINE "handoff key 1"

bool ho_key_file_name_fits(ho_str name)
{
  for (size_t i = 0; i < name.n; i++)
    if (!isalnum((unsigned char)name.p[i]) && !strchr("._@-", name.p[i]))
      return false;
  return name.n > 0 && name.n <= 64 && !ho_identity_reserved(name);
}

static ho_str path_of(ho_arena *arena)
{
  const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  if (config && config[0] == '/')
    return ho_arena_printf(arena, "%s/handoff/key", config);
  return home && *home ? ho_arena_printf(arena, "%s/.config/handoff/key", home) : HO_EMPTY;
}

/* The rest of the line that begins with this word; "" if there is none. */
static ho_str line_of(ho_str text, const char *word)
{
  ho_str line, first;
  while (ho_str_next_line(&text, &line))
    if (ho_str_next(&line, ' ', &first) && ho_str_is(first, word))
      return ho_str_trim(line);
  return HO_EMPTY;
}

static bool copy(char *out, size_t size, ho_str text)
{
  snprintf(out, size, "%.*s", HO_ARG(text));
  return text.n + 1 == size;
}

static bool parse(ho_str text, ho_key_file *out)
{
  ho_str word, kdf = line_of(text, "kdf"), key = line_of(text, "public");
  ho_str passes = HO_EMPTY, bytes = HO_EMPTY, salt = HO_EMPTY;
  if (!ho_str_starts(text, FIRST_LINE "\n") || !ho_str_starts(key, HO_KEY_PREFIX))
    return false;
  out->name = line_of(text, "name");
  out->key = ho_str_sub(key, sizeof HO_KEY_PREFIX - 1, key.n);
  bool sound = ho_str_next(&kdf, ' ', &word) && ho_str_is(word, "argon2id") && ho_str_next(&kdf, ' ', &passes) &&
               ho_str_next(&kdf, ' ', &bytes) && ho_str_next(&kdf, ' ', &salt);
  return sound && ho_str_to_u64(passes, &out->locked.passes) && ho_str_to_u64(bytes, &out->locked.bytes) &&
         copy(out->locked.salt, sizeof out->locked.salt, salt) &&
         copy(out->locked.box, sizeof out->locked.box, line_of(text, "secret")) && ho_key_file_name_fits(out->name) &&
         ho_keypair_valid(out->key);
}

ho_code ho_key_file_read(ho_arena *arena, ho_key_file *out, ho_error *err)
{
  struct stat st;
  ho_str text;
  *out = (ho_key_file){.path = path_of(arena), .name = HO_EMPTY, .key = HO_EMPTY};
  if (!out->path.n || !ho_fs_exists(out->path.p))
    return ho_arena_code(arena, err);
  if (ho_fs_stat(out->path.p, &st) || (st.st_mode & 077))
    return ho_fail_file(err, HO_GATED, out->path, "others can read your key; run: chmod 600 %.*s", HO_ARG(out->path));
  ho_code code = ho_fs_read(arena, out->path.p, 4096, &text, err);
  if (code)
    return code;
  if (!parse(text, out))
    return ho_fail_file(err, HO_INVALID, out->path, "is not a key that this program wrote, or it is damaged");
  out->there = true;
  return HO_OK;
}

static ho_code save(ho_arena *arena, const ho_key_file *file, ho_error *err)
{
  ho_str text = ho_arena_printf(
      arena, FIRST_LINE "\nname %.*s\npublic " HO_KEY_PREFIX "%.*s\nkdf argon2id %llu %llu %s\nsecret %s\n",
      HO_ARG(file->name), HO_ARG(file->key), (unsigned long long)file->locked.passes,
      (unsigned long long)file->locked.bytes, file->locked.salt, file->locked.box);
  const char *folder = ho_arena_z(arena, ho_fs_parent(file->path));
  mode_t mask = umask(077); /* the file never exists with other rights */
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = ho_fs_mkdirs(folder, err);
  if (!code)
    code = ho_fs_write(file->path.p, text, HO_FS_CREATE, err);
  umask(mask);
  return code;
}

/* Asks for a new passphrase, which has to be typed twice. One that is trivial is asked for again. */
static ho_code ask_new(ho_arena *arena, const ho_person *person, ho_str shown, char *out, size_t size, ho_error *err)
{
  enum { TRIES = 3 };
  char again[HO_PASSPHRASE_SIZE];
  const char *trivial = "";
  ho_code code = HO_OK;
  for (int i = 0; !code && trivial && i < TRIES; i++) {
    code = person->passphrase(person->world, arena, shown, HO_STR("New passphrase: "), out, size, err);
    trivial = code ? NULL : ho_key_file_trivial(out);
    if (trivial)
      shown = ho_arena_printf(arena, "This passphrase cannot be used: %s.\n", trivial);
  }
  if (!code && trivial)
    code = ho_fail(err, HO_USAGE, "no key was made: %s", trivial);
  if (!code)
    code =
        person->passphrase(person->world, arena, HO_EMPTY, HO_STR("The same passphrase: "), again, sizeof again, err);
  if (!code && strcmp(out, again) != 0)
    code = ho_fail(err, HO_USAGE, "the two passphrases differ");
  ho_keypair_forget(again, sizeof again);
  return code;
}

ho_code ho_key_file_make(ho_arena *arena, ho_str name, const ho_person *person, ho_key_file *out, ho_error *err)
{
  char passphrase[HO_PASSPHRASE_SIZE] = "", key[HO_KEY_SIZE];
  ho_keypair pair = {0};
  *out = (ho_key_file){.path = path_of(arena), .name = name, .key = HO_EMPTY};
  if (!out->path.n)
    return ho_fail(err, HO_USAGE, "HOME is not set, so there is no place for a key");
  if (ho_fs_exists(out->path.p))
    return ho_fail_file(err, HO_CONFLICT, out->path, "you have a key already; run: handoff key list");
  ho_str shown = ho_arena_printf(arena,
                                 "A new key for %.*s. Its passphrase signs your decisions; nobody can recover it, and "
                                 "no agent may know it.\n",
                                 HO_ARG(name));
  ho_code code = ask_new(arena, person, shown, passphrase, sizeof passphrase, err);
  if (!code)
    code = ho_keypair_new(&pair, err);
  if (!code)
    code = ho_keypair_lock(&pair, ho_str_of(passphrase), &out->locked, err);
  ho_keypair_forget(passphrase, sizeof passphrase);
  ho_keypair_public(&pair, key);
  ho_keypair_wipe(&pair);
  if (code)
    return code;
  out->key = ho_arena_copy(arena, ho_str_of(key));
  code = save(arena, out, err);
  out->there = !code;
  return code;
}

ho_code ho_key_file_unlock(ho_arena *arena, const ho_key_file *file, const ho_person *person, ho_str shown,
                           ho_keypair *out, ho_error *err)
{
  char passphrase[HO_PASSPHRASE_SIZE] = "";
  ho_str question = ho_arena_printf(arena, "Passphrase of %.*s's key: ", HO_ARG(file->name));
  ho_code code = person->passphrase(person->world, arena, shown, question, passphrase, sizeof passphrase, err);
  if (!code)
    code = ho_keypair_unlock(&file->locked, file->key, ho_str_of(passphrase), out, err);
  ho_keypair_forget(passphrase, sizeof passphrase);
  return code;
}
