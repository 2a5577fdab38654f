/* Two texts as a unified diff, as `patch` and `git apply` read it. */
#ifndef HO_DOC_TEXT_DIFF_H
#define HO_DOC_TEXT_DIFF_H

#include "base/buf.h"

/* The names stand under a/ and b/, as git has them (`patch -p1`). A name may be "/dev/null"; two different ones are a file
 * that gets another name. Nothing is written where names and texts are equal. Where the texts are long and have little in
 * common the difference is not the shortest. */
ho_code ho_diff_write(ho_buf *out, ho_str old_name, ho_str new_name, ho_str old_text, ho_str new_text,
                      ho_error *err) HO_NODISCARD;
#endif
