/* Base64, as it is found: both alphabets, with or without padding. */
#ifndef HO_BASE_BASE64_H
#define HO_BASE_BASE64_H

#include "base/buf.h"

/* Appends what the text says, up to the first byte that is not base64. */
void ho_base64_decode(ho_buf *out, ho_str text);
#endif
