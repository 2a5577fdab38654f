/* The difference of two texts as a unified diff, for `patch` and `git apply`. */
#ifndef HO_DOC_TEXT_DIFF_H
#define HO_DOC_TEXT_DIFF_H

#include "base/buf.h"

/* The names are written under a/ and b/, as git does (`patch -p1`). A name may be "/dev/null"; two different names
 * mean a renamed file. Nothing is written if names and texts are equal. If the texts are long and have little in
 * common, the diff is not the shortest. */
ho_code ho_diff_write(ho_buf *out, ho_str old_name, ho_str new_name, ho_str old_text, ho_str new_text,
                      ho_error *err) HO_NODISCARD;
#endif
