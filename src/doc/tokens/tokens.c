#include "doc/tokens/tokens.h"
#include "doc/tokens/tokens_merge.h"
#include "doc/tokens/tokens_split.h"
#include "base/memory.h"
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct ho_tokens {
  ho_image image;
  void *map;
  size_t size;
};

/* Maps a whole non-empty file; NULL with errno set, or with errno 0 if it is empty or not a regular file. */
static void *map_file(const char *path, size_t *size)
{
  struct stat info;
  void *map = MAP_FAILED;
  int fd = ho_fs_open(path, O_RDONLY);
  if (fd < 0)
    return NULL;
  errno = 0;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    *size = (size_t)info.st_size;
    map = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
  }
  int saved = errno;
  close(fd);
  errno = saved;
  return map == MAP_FAILED ? NULL : map;
}

ho_code ho_tokens_open(ho_tokens **out, const char *path, ho_error *err)
{
  ho_str file = ho_str_of(path);
  ho_tokens *tokens = ho_malloc(sizeof *tokens);
  if (!tokens)
    return ho_fail_memory(err);
  tokens->map = map_file(path, &tokens->size);
  if (tokens->map && ho_image_read(&tokens->image, tokens->map, tokens->size)) {
    *out = tokens;
    return HO_OK;
  }
  int why = tokens->map ? 0 : errno;
  ho_tokens_close(tokens);
  if (why == ENOENT || why == ENOTDIR)
    return ho_fail_file(err, HO_NOT_FOUND, file, "there is no token image");
  if (why)
    return ho_fail_file(err, HO_IO, file, "the token image cannot be read: %s", strerror(why));
  return ho_fail_file(err, HO_IO, file, "not a token image, or a damaged one");
}

void ho_tokens_close(ho_tokens *tokens)
{
  if (tokens && tokens->map)
    munmap(tokens->map, tokens->size);
  ho_free(tokens);
}

const char *ho_tokens_name(const ho_tokens *tokens)
{
  return tokens ? "o200k_base" : "bytes/4";
}

size_t ho_tokens_count(const ho_tokens *tokens, ho_str text)
{
  if (!tokens)
    return text.n / 4 + (text.n % 4 != 0);
  size_t count = 0;
  for (size_t at = 0, end; at < text.n; at = end) {
    end = ho_tokens_split(text, at);
    count += ho_tokens_merge(&tokens->image, ho_str_sub(text, at, end));
  }
  return count;
}
