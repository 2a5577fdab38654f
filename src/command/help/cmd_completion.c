#include "base/term.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/help/completion.h"

/* How a shell is told a word and what it is; and its script, which asks for them. */
typedef struct shell {
  const char *name;
  char between; /* a word and what it is; 0: the shell shows nothing of that */
  const char *script;
} shell;

static const shell shells[] = {
    {"bash", 0,
     "# bash completion for handoff; load it with: source <(handoff completion bash)\n"
     "_handoff()\n{\n"
     "  local word\n"
     "  COMPREPLY=()\n"
     "  while IFS= read -r word; do\n"
     "    case $word in\n"
     "    :files)\n"
     "      compopt -o filenames 2>/dev/null\n"
     "      mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
     "      ;;\n"
     "    *) COMPREPLY+=(\"$word\") ;;\n"
     "    esac\n"
     "  done < <(handoff completion bash -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
     "}\n"
     "complete -F _handoff handoff\n"},
    {"zsh", ':',
     "#compdef handoff\n"
     "# zsh completion for handoff; load it with: handoff completion zsh >\"${fpath[1]}/_handoff\"\n"
     "_handoff()\n{\n"
     "  local -a found\n"
     "  local word\n"
     "  for word in \"${(@f)$(handoff completion zsh -- \"${(@)words[2,CURRENT]}\" 2>/dev/null)}\"; do\n"
     "    case $word in\n"
     "    ':files') _files ;;\n"
     "    ?*) found+=(\"$word\") ;;\n"
     "    esac\n"
     "  done\n"
     "  (( $#found )) && _describe handoff found\n"
     "}\n"
     "if [ \"$funcstack[1]\" = _handoff ]; then _handoff \"$@\"; else compdef _handoff handoff; fi\n"},
    {"fish", '\t',
     "# fish completion for handoff; load it with: handoff completion fish | source\n"
     "function __handoff\n"
     "  set -l before (commandline -opc)\n"
     "  set -e before[1]\n"
     "  set -l found (handoff completion fish -- $before (commandline -ct) 2>/dev/null)\n"
     "  if contains -- :files $found\n"
     "    __fish_complete_path (commandline -ct)\n"
     "  end\n"
     "  string match -v -- :files $found\n"
     "end\n"
     "complete -c handoff -f -a '(__handoff)'\n"},
};

typedef struct listing {
  ho_buf *out;
  char between;
} listing;

/* A word on a line of its own. What zsh would take for the end of the word has a backslash before it. */
static void put_word(void *data, ho_str word, ho_str what)
{
  listing *l = data;
  for (size_t i = 0; i < word.n; i++) {
    if (l->between == ':' && word.p[i] == ':' && !ho_str_is(word, HO_COMPLETION_FILES))
      ho_buf_putc(l->out, '\\');
    ho_buf_putc(l->out, word.p[i]);
  }
  if (l->between && what.n) {
    ho_buf_putc(l->out, l->between);
    ho_term_put(l->out, what, HO_TERM_LINE);
  }
  ho_buf_putc(l->out, '\n');
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_buf text;
  const ho_node *words = ho_arg(call, "words");
  ho_str name = ho_arg_str(call, "shell");
  ho_buf_init(&text, 0);
  for (size_t i = 0; i < HO_COUNT(shells); i++) {
    listing list = {&text, shells[i].between};
    if (ho_str_is(name, shells[i].name) && words)
      ho_completion_find(call, words, put_word, &list);
    else if (ho_str_is(name, shells[i].name))
      ho_buf_puts(&text, shells[i].script);
  }
  ho_map_addz(call->result, "shell", ho_node_text(call->arena, name));
  ho_map_addz(call->result, "text", ho_node_text(call->arena, ho_buf_move(&text, call->arena)));
  return ho_arena_code(call->arena, err);
}

static const ho_choice shell_names[] = {{.value = "bash", .doc = "source <(handoff completion bash)"},
                                        {.value = "zsh", .doc = "handoff completion zsh >\"${fpath[1]}/_handoff\""},
                                        {.value = "fish", .doc = "handoff completion fish | source"},
                                        {0}};
static const ho_field params[] = {
    {.name = "shell",
     .label = "SHELL",
     .doc = "The shell; to load the script:",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL,
     .choices = shell_names},
    {.name = "words",
     .label = "WORD",
     .doc = "What the shell asks about: the words of a command line, the last one unfinished.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_POSITIONAL | HO_HIDDEN | HO_MAY_BE_EMPTY},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "completion", .fields = params};
static const ho_field result[] = {
    {.name = "shell", .doc = "Name of the shell.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "text", .doc = "The script.", .type = HO_T_TEXT, .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "completion result", .fields = result};

const ho_command ho_command_completion = {
    .name = "completion",
    .group = "setup",
    .summary = "Print a shell completion script",
    .doc =
        "The script completes commands, options, formats, files, states, and the ids, agents and tasks of the project.",
    .examples = "handoff completion bash",
    .local = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_render_text,
};
