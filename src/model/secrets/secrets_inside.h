/* What only the files of this room see: the tables of rules, and one scan of one text. */
#ifndef HO_MODEL_SECRETS_SECRETS_INSIDE_H
#define HO_MODEL_SECRETS_SECRETS_INSIDE_H

#include "model/secrets/secrets.h"

/* Classes of bytes; an alphabet is a set of them. */
enum {
  HO_SECRET_DIGIT = 1,
  HO_SECRET_HEX_UPPER = 2, /* A to F */
  HO_SECRET_HEX_LOWER = 4,
  HO_SECRET_REST_UPPER = 8, /* G to Z */
  HO_SECRET_REST_LOWER = 16,
  HO_SECRET_UNDERSCORE = 32,
  HO_SECRET_HYPHEN = 64,
  HO_SECRET_DOT = 128,
  HO_SECRET_EQUALS = 256,
  HO_SECRET_PLUS = 512, /* + and / */
  HO_SECRET_TILDE = 1024,
  HO_SECRET_AND = 2048,    /* & */
  HO_SECRET_PATH = 4096,   /* other bytes of a URL */
  HO_SECRET_VALUE = 8192,  /* other bytes of an unquoted value */
  HO_SECRET_QUOTED = 16384 /* other bytes of a quoted one */
};
#define HO_SECRET_UPPER (HO_SECRET_HEX_UPPER | HO_SECRET_REST_UPPER)
#define HO_SECRET_LOWER (HO_SECRET_HEX_LOWER | HO_SECRET_REST_LOWER)
#define HO_SECRET_LETTER (HO_SECRET_UPPER | HO_SECRET_LOWER)
#define HO_SECRET_ALNUM (HO_SECRET_LETTER | HO_SECRET_DIGIT)
extern const uint16_t ho_secret_class[256];

/* The bytes that the variable part of a shape consists of. */
#define HO_SECRET_ALPHABETS(X)                                                                                         \
  X(DIGITS, HO_SECRET_DIGIT)                                                                                           \
  X(HEX, HO_SECRET_DIGIT | HO_SECRET_HEX_UPPER | HO_SECRET_HEX_LOWER)                                                  \
  X(UUID, HO_SECRET_DIGIT | HO_SECRET_HEX_UPPER | HO_SECRET_HEX_LOWER | HO_SECRET_HYPHEN)                              \
  X(CAPS, HO_SECRET_DIGIT | HO_SECRET_UPPER)                                                                           \
  X(CAPS_DASH, HO_SECRET_DIGIT | HO_SECRET_UPPER | HO_SECRET_HYPHEN)                                                   \
  X(SMALL, HO_SECRET_DIGIT | HO_SECRET_LOWER)                                                                          \
  X(ALNUM, HO_SECRET_ALNUM)                                                                                            \
  X(WORD, HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE)                                                                      \
  X(DASH, HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE | HO_SECRET_HYPHEN)                                                   \
  X(TOKEN, HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE | HO_SECRET_HYPHEN | HO_SECRET_DOT | HO_SECRET_EQUALS)               \
  X(BASE64, HO_SECRET_ALNUM | HO_SECRET_PLUS | HO_SECRET_EQUALS)                                                       \
  X(ANY64, HO_SECRET_ALNUM | HO_SECRET_PLUS | HO_SECRET_UNDERSCORE | HO_SECRET_HYPHEN | HO_SECRET_EQUALS)              \
  X(TILDE, HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE | HO_SECRET_HYPHEN | HO_SECRET_DOT | HO_SECRET_TILDE)                \
  X(PATH, HO_SECRET_VALUE - 1)                                                                                         \
  X(QUERY, (HO_SECRET_QUOTED - 1) & ~HO_SECRET_AND)                                                                    \
  X(VALUE, HO_SECRET_QUOTED - 1)                                                                                       \
  X(QUOTED, HO_SECRET_QUOTED * 2 - 1)

#define HO_SECRET_NAME(name, set) HO_SECRET_OF_##name,
typedef enum ho_secret_alphabet { HO_SECRET_ALPHABETS(HO_SECRET_NAME) HO_SECRET_ALPHABET_COUNT } ho_secret_alphabet;
#undef HO_SECRET_NAME

enum {
  HO_SECRET_NOCASE = 1,   /* the beginning, in any case */
  HO_SECRET_ANYWHERE = 2, /* also right after a letter: nothing else begins like this */
  HO_SECRET_TAIL = 4,     /* the beginning is no secret, and stays */
  HO_SECRET_PLAIN = 8,    /* need not look random */
  HO_SECRET_NUMBERS = 16, /* has three digits at least: words are written in the same place */
  HO_SECRET_BACK = 32,    /* what stands right before it belongs to it */
  HO_SECRET_FAR = 64,     /* most of it stands right before, and looks random: this
                          is a signature near its end */
  HO_SECRET_LINES = 128,  /* a key that may go on in the lines below */
  HO_SECRET_BASE58 = 256, /* without 0, O, I and l */
  HO_SECRET_PAIR = 512    /* the id of a key, whose secret often stands beside it */
};

/* A telltale beginning, then `least` to `most` bytes of the alphabet (most 0: no limit, but none behind a signature),
 * then any other byte. */
typedef struct ho_secret_rule {
  const char *shape, *begin;
  ho_secret_alphabet of;
  unsigned least, most, flags;
} ho_secret_rule;
/* Rules, found by their first two bytes in any case. */
typedef struct ho_secret_table {
  const ho_secret_rule *rules;
  size_t count;
  struct ho_secret_index {
    uint16_t heads[1024], nexts[512]; /* 1 + index; 0: none */
  } * index;
} ho_secret_table;
extern const ho_secret_table ho_secret_rules;
/* "NAME … = VALUE": the word in the name, and what the value looks like. */
extern const ho_secret_table ho_secret_owners;

/* The rules that may begin where `text` does (two bytes at least), one after the other; NULL at the end. The text is
 * not compared any further. */
const ho_secret_rule *ho_secret_first(const ho_secret_table *table, ho_str text);
const ho_secret_rule *ho_secret_next(const ho_secret_table *table, const ho_secret_rule *rule);

/* What rules or words may begin with: a bit for the first two bytes in any case, which most bytes of a text do not pass;
 * then one for the hash of the first three bytes in any case, or of all two. */
typedef struct ho_secret_begins {
  uint64_t first_two[1024];
  uint64_t bits[256];
} ho_secret_begins;
/* begin: two bytes at least. */
void ho_secret_note_begin(ho_secret_begins *begins, const char *begin, bool any_case);
/* Notes the programs and words that ho_secret_note_program and ho_secret_at_command know. */
void ho_secret_command_begins(ho_secret_begins *begins);

/* How much a name says: a weak one ("token") needs a value that looks random, a fair one ("db_pass") a value that is
 * not a word, a number or a name. */
typedef enum ho_secret_strength {
  HO_SECRET_NO_NAME,
  HO_SECRET_WEAK,
  HO_SECRET_FAIR,
  HO_SECRET_STRONG
} ho_secret_strength;
ho_secret_strength ho_secret_named(ho_str key);
/* The last three letters of those that say more than little, by a hash; built once, by ho_secret_name_ends. */
enum { HO_SECRET_LAST_THREE = 8192 };
extern uint64_t ho_secret_last_three[HO_SECRET_LAST_THREE / 64];
void ho_secret_name_ends(void);
static inline size_t ho_secret_three(const char *three)
{
  unsigned a = (unsigned char)three[0] | 32u, b = (unsigned char)three[1] | 32u, c = (unsigned char)three[2] | 32u;
  return (a << 10 ^ b << 5 ^ c) % HO_SECRET_LAST_THREE;
}
/* Could such a name end before `at`? Asked at each blank. */
static inline bool ho_secret_name_may_end(ho_str text, size_t at)
{
  size_t three = at < 3 ? 0 : ho_secret_three(text.p + at - 3);
  return at > 2 && ho_secret_last_three[three / 64] >> (three % 64) & 1;
}
/* Is the value a stand-in that people write instead of the secret itself? */
bool ho_secret_stand_in(ho_str value);
/* Does it say where the secret is: $NAME, ${NAME}, $(command), {{name}}, <name>? `next` is the byte behind it. */
bool ho_secret_reference(ho_str value, char next);
/* Is it the name of an algorithm or an encoding ("argon2id", "AES-256-GCM")? */
bool ho_secret_algorithm(ho_str value);
/* Is one of its words such a stand-in, or what documents say about passwords ("not-required")? */
bool ho_secret_has_plain_word(ho_str value);
/* Do letters of both cases and digits alternate in it as in no word? */
bool ho_secret_scrambled(ho_str value);
/* Could a generator have made it? */
bool ho_secret_random(ho_str value, ho_secret_alphabet of);

/* How a value stands behind its name. */
typedef struct ho_secret_assignment {
  ho_str key;         /* the last word before the separator */
  ho_str phrase;      /* with the words before it, for names of makers */
  const char *scheme; /* of an Authorization header, as a shape */
  bool quoted;
  bool plain_colon; /* "key: value", as prose has it too */
  bool whole;       /* nothing else stands in the value's line */
  bool below;       /* it stands in the line below */
  bool tag;         /* it stands in <key>value</key> */
  char next;        /* the byte behind it, 0 at the end */
  char quote;       /* of the key; 0: none */
  unsigned escapes; /* backslashes before that quote */
} ho_secret_assignment;
/* The shape of the secret that the value is because of its name, NULL if it is none. */
const char *ho_secret_judge(const ho_secret_assignment *a, ho_secret_strength strength, ho_str value);
/* Could it be a password of several words? */
bool ho_secret_passphrase(ho_str value);
bool ho_secret_all_of(ho_str value, unsigned classes);

/* Keys that say something of others: "name" names the value of a "carrier" beside it ("value"), the "data" of a secret
 * of Kubernetes is secret as a whole, and a JSON Web Key has private members of one letter. */
bool ho_secret_names_another(ho_str key);
bool ho_secret_is_carrier(ho_str key);
bool ho_secret_is_data(ho_str key);
bool ho_secret_is_web_key(ho_str key, ho_str value);

/* One pass over one text. Runs of each alphabet are remembered, so that no byte is looked at twice for one. */
typedef struct ho_secret_scan {
  ho_str text;
  ho_arena *arena;
  ho_secret_list *out;
  int depth; /* how often the text was decoded */
  size_t run_begin[HO_SECRET_ALPHABET_COUNT], run_end[HO_SECRET_ALPHABET_COUNT];
  const char *program;  /* named last in this line */
  size_t backslash;     /* the next one, as far as known */
  size_t lines_until;   /* up to here, it is known what lines of base64 are */
  ho_str name;          /* the last one that was given as a value ("name: DB_PASSWORD"), */
  size_t name_until;    /* and up to where it names another value ("value: …") */
  size_t named_at;      /* where the last one stood, whatever it named; */
  ho_str carried;       /* and the last value that had none before it, */
  size_t carried_until; /* and up to where one may follow */
  ho_str last;          /* the name whose quoted value ends at last_end, */
  size_t last_end;
  bool in_list;         /* which may be one of several */
  size_t pair_until;    /* up to here, the secret of an access key may stand beside it */
  size_t rows_until;    /* up to here, the rows of a statement were read */
  size_t web_key_until; /* up to here, the members of a JSON Web Key */
  bool kind_secret;     /* a manifest of Kubernetes says so; */
  bool in_data;         /* and these are its values, in lines that are indented more
                   than so many bytes */
  size_t data_indent;
} ho_secret_scan;

/* Is it a single word of letters and digits, shorter than any secret? Most keys of documents are. */
bool ho_secret_too_short(ho_str text);
void ho_secret_scan_text(ho_str text, int depth, ho_arena *arena, ho_secret_list *out);
/* The end of the run of the alphabet that begins at `at`. */
size_t ho_secret_run(ho_secret_scan *scan, size_t at, ho_secret_alphabet of);
void ho_secret_add(ho_secret_scan *scan, const char *shape, size_t begin, size_t end);
/* The value from `at` on, and how it stands there. */
ho_str ho_secret_read_value(ho_secret_scan *scan, size_t at, ho_secret_assignment *a);
/* The name before the separator at `at`. */
void ho_secret_read_key(ho_str text, size_t at, ho_secret_assignment *a);
/* `name` names another value behind `at`. */
void ho_secret_note_name(ho_secret_scan *scan, ho_str name, size_t at);
/* Adds the value if it is a secret; returns its end, or 0. */
size_t ho_secret_take(ho_secret_scan *scan, const ho_secret_assignment *a, ho_secret_strength strength, ho_str value);
static inline bool ho_secret_is_quote(char c)
{
  return c == '"' || c == '\'' || c == '`';
}

/* Shorter runs of base64 are neither text that was encoded nor a line of a key; those shorter than a line are one only
 * if they are padded. */
enum { HO_SECRET_SHORTEST_RUN = 8, HO_SECRET_SHORTEST_LINE = 16 };

/* Each looks for its kind at `at` and returns where to go on: the end of what it found, or `at`. */
size_t ho_secret_at_separator(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_arrow(ho_secret_scan *scan, size_t at);
/* "NAME VALUE", as commands and settings have it. */
size_t ho_secret_at_blank(ho_secret_scan *scan, size_t at);
/* NAME || "VALUE" */
size_t ho_secret_at_default(ho_secret_scan *scan, size_t at);
/* USER:PASSWORD@host, without a scheme. */
size_t ho_secret_at_login(ho_secret_scan *scan, size_t at);
/* Adds the secret of an access key that the run of base64 at `at` is. */
void ho_secret_at_pair(ho_secret_scan *scan, size_t at);
/* (name, password) VALUES ('…', '…'), …: from behind INSERT INTO on. */
void ho_secret_rows(ho_secret_scan *scan, size_t at);
/* Notes the program that a command line begins with. */
void ho_secret_note_program(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_option(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_command(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_netrc(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_url(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_block(ho_secret_scan *scan, size_t at);
/* The end of the private key whose first line is begin..end. */
size_t ho_secret_key_lines(ho_str text, size_t begin, size_t end);
/* Adds the lines of a private key that begin in the run at `at`, if what says so comes behind them or nowhere. */
void ho_secret_at_lines(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_web_token(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_dot(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_numbered(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_network(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_basic(ho_secret_scan *scan, size_t at);
/* Decodes the run of base64 that begins at `at`, and looks for secrets in what comes out. */
void ho_secret_at_base64(ho_secret_scan *scan, size_t at);
/* The whole text in base64: does it say NAME:PASSWORD? */
bool ho_secret_base64_pair(ho_str text);

/* Adds the values of tables and records: the column says what they are. */
void ho_secret_tables(ho_str text, ho_arena *arena, ho_secret_list *out);
/* Adds what shows once zero-width characters, escapes, percent signs, emphasis, or line folds are undone. */
void ho_secret_undo(ho_str text, ho_arena *arena, ho_secret_list *out);
void ho_secret_unfold(ho_str text, ho_arena *arena, ho_secret_list *out);
#endif
