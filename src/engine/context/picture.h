/* What a picture costs in a context: by its size in pixels, whatever its bytes are. */
#ifndef HO_ENGINE_CONTEXT_PICTURE_H
#define HO_ENGINE_CONTEXT_PICTURE_H

#include "base/str.h"

enum {
  /* Bytes from the beginning in which the size is looked for: a JPEG may have a preview and a colour profile first. */
  HO_PICTURE_HEAD = 128 << 10,
  /* What one costs at most, and one whose size is unknown. */
  HO_PICTURE_TOKENS = 1600,
};

/* True for a PNG, JPEG, GIF or WebP, by its first bytes. *tokens: its price, HO_PICTURE_TOKENS if the size is not found
 * in them. */
bool ho_picture_price(ho_str head, int64_t *tokens);
/* The same for the beginning of one in base64. */
bool ho_picture_price_base64(ho_str text, int64_t *tokens);
/* Is the file called like one? */
bool ho_picture_named(ho_str path);
#endif
