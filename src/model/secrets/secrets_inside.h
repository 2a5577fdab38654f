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
  HO_SECRET_BACK = 32,    /* what stands right before it belongs to it */
  HO_SECRET_NUMBERS = 16  /* has three digits at least: words are written in the same place */
};

/* A telltale beginning, then `least` to `most` bytes of the alphabet (most 0: no limit), then any other byte. */
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

/* How much a name says: a weak one ("token") needs a value that looks random. */
typedef enum ho_secret_strength { HO_SECRET_NO_NAME, HO_SECRET_WEAK, HO_SECRET_STRONG } ho_secret_strength;
ho_secret_strength ho_secret_named(ho_str key);
/* Is the value a stand-in that people write instead of the secret itself? */
bool ho_secret_stand_in(ho_str value);
/* Is one of its words such a stand-in, or what documents say about passwords ("not-required")? */
bool ho_secret_has_plain_word(ho_str value);
/* Do letters of both cases and digits alternate in it as in no word? */
bool ho_secret_scrambled(ho_str value);
/* Could a generator have made it? */
bool ho_secret_random(ho_str value, ho_secret_alphabet of);

/* A program, and the option behind which it takes a password: "NAME:PASSWORD" if `pair`; `glued`: without a space. */
typedef struct ho_secret_option {
  const char *program, *option;
  bool pair, glued;
} ho_secret_option;
extern const ho_secret_option ho_secret_options[];
extern const size_t ho_secret_option_count;

/* One pass over one text. Runs of each alphabet are remembered, so that no byte is looked at twice for one. */
typedef struct ho_secret_scan {
  ho_str text;
  ho_arena *arena;
  ho_secret_list *out;
  int depth; /* how often the text was decoded */
  size_t run_begin[HO_SECRET_ALPHABET_COUNT], run_end[HO_SECRET_ALPHABET_COUNT];
  const char *program; /* named last in this line */
  size_t backslash;    /* the next one, as far as known */
} ho_secret_scan;

void ho_secret_scan_text(ho_str text, int depth, ho_arena *arena, ho_secret_list *out);
/* The end of the run of the alphabet that begins at `at`. */
size_t ho_secret_run(ho_secret_scan *scan, size_t at, ho_secret_alphabet of);
void ho_secret_add(ho_secret_scan *scan, const char *shape, size_t begin, size_t end);

/* Each looks for its kind at `at` and returns where to go on: the end of what it found, or `at`. */
size_t ho_secret_at_separator(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_option(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_netrc(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_url(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_block(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_web_token(ho_secret_scan *scan, size_t at);
size_t ho_secret_at_basic(ho_secret_scan *scan, size_t at);
/* Decodes the run of base64 that begins at `at`, and looks for secrets in what comes out. */
void ho_secret_at_base64(ho_secret_scan *scan, size_t at);
/* The whole text in base64: does it say NAME:PASSWORD? */
bool ho_secret_base64_pair(ho_str text);

/* Adds what shows once zero-width characters, escapes, percent signs, emphasis, or line folds are undone. */
void ho_secret_undo(ho_str text, ho_arena *arena, ho_secret_list *out);
void ho_secret_unfold(ho_str text, ho_arena *arena, ho_secret_list *out);

/* A text that was changed, and where its bytes come from. */
typedef struct ho_secret_view {
  ho_buf text;
  struct ho_secret_piece {
    size_t at, begin, end; /* bytes from `at` on are begin..end of the original; fewer bytes if something was decoded */
    bool changed;          /* something was left out before it, or decoded */
  } * pieces;
  size_t count;
} ho_secret_view;
void ho_secret_view_put(ho_secret_view *view, ho_arena *arena, ho_str original, size_t begin, size_t end);
void ho_secret_view_decoded(ho_secret_view *view, ho_arena *arena, char c, size_t begin, size_t end);
/* Adds the secrets of the view that what was undone lies in, as ranges of the original. */
void ho_secret_view_scan(ho_secret_view *view, ho_arena *arena, ho_secret_list *out);
#endif
