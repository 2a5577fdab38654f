/* One table per tool.
 *
 * A tool is one const struct and one name in HO_MCP_TOOLS. What tools/list says, how arguments are checked, what an error
 * advises and docs/mcp.md come from the table. A tool runs commands, and shapes what they answer for a reader who pays
 * for every token. */
#ifndef HO_SURFACE_MCP_MCP_TOOL_H
#define HO_SURFACE_MCP_MCP_TOOL_H

#include "command/commands.h"
#include "surface/mcp/mcp_server.h"

/* In the order of tools/list. */
/* clang-format off */
#define HO_MCP_TOOLS(X) \
  X(handoff_status) X(next_handoff) X(reply_to_handoff) X(finish_handoff) X(send_handoff) \
  X(pass_phase) X(report_progress) X(ask_person) X(search_knowledge) X(check_document)
/* clang-format on */

/* Sets of tools, for --tools. */
#define HO_MCP_SETS(X)                                                                                                 \
  X(DEFAULT, "default", "what an agent needs that hands work on and receives it")                                      \
  X(WORK, "work", "what an agent needs that only receives work")                                                       \
  X(LEAD, "lead", "what an agent needs that only hands work out")                                                      \
  X(ALL, "all", "every tool")
enum {
#define X(name, text, doc) HO_MCP_SET_BIT_##name,
  HO_MCP_SETS(X)
#undef X
};
enum {
#define X(name, text, doc) HO_MCP_SET_##name = 1 << HO_MCP_SET_BIT_##name,
  HO_MCP_SETS(X)
#undef X
      HO_MCP_SET_EVERY = HO_MCP_SET_DEFAULT | HO_MCP_SET_WORK | HO_MCP_SET_LEAD | HO_MCP_SET_ALL
};

/* An argument of the tool that is the parameter of a command. */
typedef struct ho_mcp_map {
  const char *field, *param; /* NULL ends a table */
} ho_mcp_map;

/* A call of a tool while it runs. */
typedef struct ho_mcp_act {
  ho_mcp_request *r;
  ho_mcp *mcp;
  ho_arena *arena;
  const ho_mcp_tool *tool;
  const ho_mcp_client *client;
  const ho_node *args; /* checked */
  /* Filled. */
  ho_node *result;
  bool failed; /* result is an error */
  bool waits;  /* what it waits for has not happened; until its time is over, it is run again, with these arguments */
} ho_mcp_act;

/* Arguments with which a tool runs a single one of its commands, as JSON. */
typedef struct ho_mcp_example {
  const ho_command *command; /* NULL ends a table */
  const char *args;
} ho_mcp_example;

struct ho_mcp_tool {
  const char *name;
  const char *description;
  const ho_record *fields;           /* its arguments */
  const ho_command *const *commands; /* those it runs, NULL-ended, which errors may name */
  const char *answers;               /* what its results may say, as members of ho_mcp_answers: "id|state" */
  const char *example;               /* arguments with which it can be called, as JSON: what errors advise */
  const ho_mcp_example *examples;    /* the same of a command that `example` does not run; NULL: none */
  unsigned sets;                     /* HO_MCP_SET_… in which it is */
  bool reads;                        /* it changes nothing */
  bool once;                         /* the same call again changes nothing more */
  bool always;                       /* clients that load tools when they are searched for load it at once */
  void (*run)(ho_mcp_act *act);
};

#define X(name) extern const ho_mcp_tool ho_mcp_tool_##name;
HO_MCP_TOOLS(X)
#undef X
extern const ho_mcp_tool *const ho_mcp_tools[]; /* all, NULL-ended */
extern const ho_record ho_mcp_answers;          /* everything that results of tools say (mcp_answers.c) */
/* Among those that are offered; NULL if there is none. */
const ho_mcp_tool *ho_mcp_tool_named(const ho_mcp *mcp, ho_str name);
ho_mcp_rpc_code ho_mcp_tool_call(ho_mcp_request *r, ho_mcp_rpc_fault *fault);

/* ---- What a call is given. */
/* The arguments as the table wants them; false with an error in act->result that names the argument and the call that is
 * right. */
bool ho_mcp_args_check(ho_mcp_act *act, const ho_node *given);
/* Runs the tool: renews the leases of what is held, checks the arguments, acts. */
void ho_mcp_act_run(ho_mcp_act *act, const ho_node *given);
ho_str ho_mcp_act_text(const ho_mcp_act *act, const char *field);
/* A number, 0 if it is not given. */
long long ho_mcp_act_number(const ho_mcp_act *act, const char *field);

/* ---- Commands. */
void ho_mcp_act_begin(ho_mcp *mcp);
/* Arguments for a command: those of the call that the table maps. */
ho_node *ho_mcp_act_args(const ho_mcp_act *act, const ho_mcp_map *map);
/* Runs a command with these arguments. input: what "-" names. The result, or NULL with *err filled; *answer is its code
 * if there is a result. */
const ho_node *ho_mcp_act_try(ho_mcp_act *act, const ho_command *command, ho_node *args, ho_str input, ho_code *answer,
                              ho_error *err);
/* The text that a command answers: that at `path` in its result ("handoff.text"), or, for NULL, what people are shown. False
 * with *err filled. */
bool ho_mcp_act_text_of(ho_mcp_act *act, const ho_command *command, ho_node *args, const char *path, ho_str *out,
                        ho_error *err);
/* The same without input, but what fails is the error of the tool. map: where the arguments came from, or NULL. */
const ho_node *ho_mcp_act_do(ho_mcp_act *act, const ho_command *command, ho_node *args, const ho_mcp_map *map);
/* Who acts: an agent's name. */
ho_str ho_mcp_act_who(const ho_mcp_act *act);
/* `id`, or the only one that is held; "" with an error if that is none or several. */
ho_str ho_mcp_act_id(ho_mcp_act *act);

/* ---- Results. */
/* Adds a text, unless it is "". */
void ho_mcp_put(ho_mcp_act *act, ho_node *map, const char *key, ho_str text);
/* The same texts under the same keys; keys: "id|state|from". */
void ho_mcp_put_all(ho_mcp_act *act, ho_node *to, const ho_node *from, const char *keys);
/* A page of a long text under `text`, with the call that has the next one; the first page is 1. */
void ho_mcp_put_page(ho_mcp_act *act, ho_node *map, ho_str text, ho_str id, long long page);
/* A text of which only the beginning matters. */
void ho_mcp_put_brief(ho_mcp_act *act, ho_node *map, const char *key, ho_str text);
/* What a command notes, without the commands for a shell that it names. */
void ho_mcp_put_notes(ho_mcp_act *act, const ho_node *result);
void ho_mcp_put_next(ho_mcp_act *act, const char *format, ...) HO_PRINTF(2, 3);
/* An item of the inbox; how far a phase is; how a gate stands. */
void ho_mcp_put_item(ho_mcp_act *act, ho_node *to, const ho_node *item);
void ho_mcp_put_progress(ho_mcp_act *act, const ho_node *progress);
void ho_mcp_put_gate(ho_mcp_act *act, const ho_node *gate);

/* ---- Errors, as results: an agent does not see those of the protocol. */
/* Makes the result an error, with the call that comes next as far as the message advises one. */
void ho_mcp_error(ho_mcp_act *act, const ho_error *err, const ho_mcp_map *map);
/* The call that runs this command, of the phase that the arguments name: "report_progress {…}". */
ho_str ho_mcp_error_call(ho_mcp_act *act, const ho_mcp_tool *tool, const ho_command *command);
/* What a command says, in the words of the tool: "use --objective" is "use objectives". A clause ("; use --as NAME") about an
 * option that is no argument is left out. map: which options are which arguments, besides those of the same name; or NULL. */
ho_str ho_mcp_error_words(const ho_mcp_act *act, const ho_mcp_map *map, ho_str text);
/* The same of arguments that cannot be meant: `right` are those that can, as a map. */
void ho_mcp_error_args(ho_mcp_act *act, const ho_node *right, const char *at, const char *format, ...) HO_PRINTF(4, 5);
/* Of a document that breaks rules: "nothing was sent: 3 rules are broken". places: which argument a finding is about; NULL: the
 * document is the caller's own. */
struct ho_mcp_place;
void ho_mcp_error_findings(ho_mcp_act *act, const ho_node *findings, const struct ho_mcp_place *places,
                           const char *nothing);
/* A finding as an agent reads it, added to `list`. */
void ho_mcp_error_finding(ho_mcp_act *act, ho_node *list, const ho_node *finding, const struct ho_mcp_place *places);
/* The text without the command for a shell that it ends with: "…; run: handoff ack HO-1"; all of it if nothing is left. */
ho_str ho_mcp_error_plain(ho_str text);
/* What an error says, with the file that it is about. */
ho_str ho_mcp_error_said(ho_arena *arena, const ho_error *err);
#endif
