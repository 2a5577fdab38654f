/* The project's settings, .handoff/config.yaml. */
#include "base/limits.h"
#include "model/check.h"
#include "model/formats/formats.h"
#include "model/formats/names.h"

static const ho_choice secret_choices[] = {
    {"redact", "A credential is replaced before anything is stored.", "hide|mask"},
    {"refuse", "A document with a credential is not taken.", "reject|deny"},
    {"allow", "Credentials are stored as they are.", "keep|ignore"},
    {0},
};

static const ho_choice without_handoff_choices[] = {
    {"ask", "It is told, once a level of fullness, and may stop.", "tell|warn"},
    {"block", "It is kept from stopping and told what is missing; not twice in a row.", "require|refuse"},
    {0},
};

static const ho_choice harnesses[] = {
    {"claude", "Claude Code.", "claude-code"},
    {"codex", "Codex.", NULL},
    {"gemini", "Gemini.", NULL},
    {"opencode", "opencode.", NULL},
    {"other", "Any program that reads its prompt from standard input.", NULL},
    {0},
};

static const ho_field window_fields[] = {
    {.name = "model",
     .doc = "The model's name, as its harness reports it.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .example = "claude-opus-4"},
    {.name = "tokens",
     .doc = "How many tokens its context holds.",
     .type = HO_T_INT,
     .flags = HO_REQUIRED,
     .aliases = "window|size",
     .min = 1000,
     .max = 100000000,
     .example = "200000"},
    HO_FIELDS_END,
};

static const ho_record window = {.name = "window", .fields = window_fields, .scalar = "tokens", .map_key = "model"};

static const ho_field agent_fields[] = {
    {.name = "name",
     .doc = "What plans, workflows and handoffs call it.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "id|agent",
     .syntax = &ho_syntax_ONE_LINE,
     .example = "writer"},
    {.name = "command",
     .doc = "The program and its arguments; no shell reads them.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "cmd|run",
     .example = "claude"},
    {.name = "harness",
     .doc = "What kind of program it is.",
     .type = HO_T_TEXT,
     .choices = harnesses,
     .fallback = "other",
     .example = "claude"},
    {.name = "model", .doc = "The model it uses.", .type = HO_T_TEXT, .example = "claude-opus-4"},
    {.name = "capabilities",
     .doc = "What it can do, for the check of a handoff's constraints.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .syntax = &ho_syntax_TAG,
     .example = "security-review"},
    HO_FIELDS_END,
};

static const ho_record agent = {.name = "agent", .fields = agent_fields, .scalar = "command", .map_key = "name"};

/* One field per document limit. A project may lower a limit, never raise it. */
static const ho_field limit_fields[] = {
#define X(constant, text, value, unit, what)                                                                           \
  {.name = text,                                                                                                       \
   .doc = "At most so many " unit " for " what ".",                                                                    \
   .type = HO_T_INT,                                                                                                   \
   .min = 1,                                                                                                           \
   .max = (value),                                                                                                     \
   .example = "60"},
    HO_DOCUMENT_LIMITS(X)
#undef X
        HO_FIELDS_END,
};

static const ho_record limits = {.name = "limits", .fields = limit_fields};

static const ho_field fields[] = {
    {.name = "secrets",
     .doc = "What happens to credentials that are found in a document.",
     .type = HO_T_TEXT,
     .choices = secret_choices,
     .fallback = "redact",
     .example = "redact"},
    {.name = "notify",
     .doc = "The program and its arguments that tell a person about a gate; no shell reads them. It runs only where "
            "HANDOFF_NOTIFY=1 is set, since settings may come with a clone.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .example = "notify-send"},
    {.name = "threshold",
     .doc = "How full a context may be, in percent, before a handoff is asked for.",
     .type = HO_T_INT,
     .min = 1,
     .max = 100,
     .fallback = "80",
     .example = "80"},
    {.name = "without_handoff",
     .doc = "What happens to an agent that stops with the context above the threshold, or with objectives of its phase "
            "open, and has handed nothing off.",
     .type = HO_T_TEXT,
     .choices = without_handoff_choices,
     .fallback = "ask",
     .example = "ask"},
    {.name = "windows",
     .doc = "Context windows of models that the program does not know, or knows wrongly.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &window},
    {.name = "lease",
     .doc = "For how many seconds a claimed handoff belongs to the agent that claimed it.",
     .type = HO_T_INT,
     .min = 1,
     .max = 604800,
     .fallback = "900",
     .example = "900"},
    {.name = "max_successors",
     .doc = "How many successors a phase may have before a person has to decide.",
     .type = HO_T_INT,
     .min = 1,
     .max = 1000,
     .fallback = "3",
     .example = "3"},
    {.name = "agents",
     .doc = "The agents that can be started.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &agent},
    {.name = "limits",
     .doc = "Limits of one document that this project lowers; 'handoff limits' shows them.",
     .type = HO_T_RECORD,
     .record = &limits},
    HO_FIELDS_END,
};

static const ho_record root = {.name = "config", .fields = fields};

static void check_agents(ho_check *check, const ho_rule *rule)
{
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "agents"), "name");
  ho_names_check_unique(check, rule, &names, "agent");
}

static void check_human(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (item, ho_check_get(check, "agents")) {
    const ho_node *name = ho_map_getz(item, "name");
    if (ho_str_is_nocase(ho_node_str(name), "human")) {
      ho_check_fail(check, rule, name, "'human' is the name for people");
    }
  }
}

static void check_windows(ho_check *check, const ho_rule *rule)
{
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "windows"), "model");
  ho_names_check_unique(check, rule, &names, "window");
}

static const ho_rule rules[] = {
    {.info = {"config-agent-unique", HO_ERROR, "Every agent has a name of its own.", "Rename one of the two."},
     .check = check_agents},
    {.info = {"config-agent-human", HO_ERROR, "No agent is called human.", "Give the agent another name."},
     .check = check_human},
    {.info = {"config-model-unique", HO_ERROR, "Every model has one window.", "Keep one of the two."},
     .check = check_windows},
    HO_RULES_END,
};

const ho_format ho_format_config = {
    .name = "config",
    .title = "Settings",
    .doc = "The settings of a project. Every key may be left out.",
    .encoding = HO_YAML,
    .root = &root,
    .rules = rules,
    .file_names = ".handoff/config.yaml|.handoff/config.yml",
    .place = ".handoff/config.yaml",
    .example = "secrets: redact\n"
               "notify:\n"
               "  - notify-send\n"
               "  - A handoff needs you\n"
               "threshold: 80\n"
               "without_handoff: ask\n"
               "windows:\n"
               "  - model: house-model-1\n"
               "    tokens: 128000\n"
               "lease: 900\n"
               "max_successors: 3\n"
               "agents:\n"
               "  - name: writer\n"
               "    command:\n"
               "      - claude\n"
               "      - --print\n"
               "    harness: claude\n"
               "    capabilities:\n"
               "      - security-review\n"
               "limits:\n"
               "  findings: 200\n",
};
