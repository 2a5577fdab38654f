/* What send, return and gate raise share: a document is read, checked, handed over, and the result filled in. */
#ifndef HO_COMMAND_SEND_CALL_H
#define HO_COMMAND_SEND_CALL_H

#include "command/ledger_call.h"
#include "engine/ledger/send.h"

/* in: what the command sets (to, type, key, returns, gates, only_gate). The argument `path` names the document. A
 * document that breaks a rule is HO_INVALID with its findings in the result. */
ho_code ho_send_call_run(ho_call *call, ho_send *in, ho_error *err) HO_NODISCARD;
/* The id and a newline. */
void ho_send_call_render(const ho_call *call, ho_buf *out, bool colour);
extern const ho_record ho_send_call_result;

#define HO_PARAM_DOCUMENT                                                                                              \
  {                                                                                                                    \
    .name = "path", .label = "PATH", .doc = "The document, or '-' for standard input.", .type = HO_T_TEXT,             \
    .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE                                                                  \
  }
#define HO_PARAM_SEND_AGAIN                                                                                            \
  {                                                                                                                    \
    .name = "again", .doc = "Send it again even if the unchanged document is still open.", .type = HO_T_BOOL           \
  }
#endif
