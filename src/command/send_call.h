/* What send, return and gate raise share: a document is read, checked, handed over, and the result filled in. */
#ifndef HO_COMMAND_SEND_CALL_H
#define HO_COMMAND_SEND_CALL_H

#include "command/ledger_call.h"
#include "engine/ledger/send.h"

/* in: what the command sets (to, type, key, returns, gates, only_gate). The argument `path` names the document, unless the
 * command has made one (text and format, see documents/composed.h). A document that breaks a rule is HO_INVALID with its
 * findings in the result. */
ho_code ho_send_call_run(ho_call *call, ho_send *in, ho_error *err) HO_NODISCARD;
/* The id and a newline. */
void ho_send_call_render(const ho_call *call, ho_buf *out, bool colour);
extern const ho_record ho_send_call_result;

/* The fields of that; findings.h is needed. */
#define HO_SEND_CALL_FIELDS                                                                                            \
  HO_TEXT_FIELD("id", "Id of the handoff; absent if the document was refused."),                                       \
      HO_TEXT_FIELD("state", "State of the handoff."), HO_TEXT_FIELD("digest", "SHA-256 of the stored document."),     \
      HO_TEXT_FIELD("kind", "Format of the document."),                                                                \
      HO_TEXT_FIELD("type", "sequential, delegation, escalation or return."), HO_TEXT_FIELD("from", "The sender."),    \
      HO_TEXT_FIELD("to", "The receiver; null for whoever asks for the task."),                                        \
      HO_TEXT_FIELD("gate", "The gate that was raised."),                                                              \
      HO_TEXT_FIELD("superseded", "The handoff that it supersedes."),                                                  \
      HO_TEXT_FIELD("closed", "The handoff that it answers, which is now done."),                                      \
      {.name = "same", .doc = "True if it had been sent already, and nothing was done.", .type = HO_T_BOOL},           \
      HO_LIST_FIELD("findings", "Findings in the document.", ho_finding_record),                                       \
      {.name = "errors", .doc = "Number of errors.", .type = HO_T_INT},                                                \
  {                                                                                                                    \
    .name = "warnings", .doc = "Number of warnings.", .type = HO_T_INT                                                 \
  }

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
