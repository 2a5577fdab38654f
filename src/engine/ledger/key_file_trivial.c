/* Passphrases that whoever guesses tries first. */
#include "engine/ledger/key_file.h"

enum { DISTINCT = 5 };
_Static_assert(HO_PASSPHRASE_LEAST == 8, "as the message says");

static bool is_blank(const char *text)
{
  return text[strspn(text, " \t")] == '\0';
}

static size_t count_distinct(const char *text)
{
  bool seen[256] = {0};
  size_t count = 0;
  for (; *text; text++) {
    count += !seen[(unsigned char)*text];
    seen[(unsigned char)*text] = true;
  }
  return count;
}

/* "12345678", "hgfedcba": each character follows from the one before it. */
static bool is_row(const char *text)
{
  int step = text[1] - text[0];
  for (size_t i = 1; text[i]; i++)
    if (text[i] - text[i - 1] != step)
      return false;
  return step == 1 || step == -1;
}

/* The commonest, also with digits and marks behind them: "Password1!". */
static bool is_common(const char *text)
{
  static const char *const common[] = {
      "password",   "passwort", "passphrase", "passw0rd",  "p@ssword", "p@ssw0rd",      "qwertyui", "qwertyuiop",
      "qwertzui",   "qwerty",   "asdfghjk",   "asdfghjkl", "iloveyou", "letmein",       "changeme", "welcome",
      "admin",      "secret",   "sunshine",   "football",  "baseball", "administrator", "princess", "superman",
      "trustno",    "abc",      "abcd",       "qwer",      "q1w2e3r4", "1q2w3e4r",      "1qaz2wsx", "zaq12wsx",
      "1234567890", "monkey",   "dragon",     "handoff",
  };
  size_t whole = strlen(text), letters = whole;
  while (letters && !isalpha((unsigned char)text[letters - 1]))
    letters--;
  for (size_t i = 0; i < HO_COUNT(common); i++) {
    size_t n = strlen(common[i]);
    if ((n == whole || n == letters) && strncasecmp(text, common[i], n) == 0)
      return true;
  }
  return false;
}

const char *ho_key_file_trivial(const char *passphrase)
{
  if (strlen(passphrase) < HO_PASSPHRASE_LEAST)
    return "it must have at least 8 characters";
  if (is_blank(passphrase))
    return "it consists of blanks";
  if (count_distinct(passphrase) < DISTINCT)
    return "it has too few different characters";
  if (is_row(passphrase) || is_common(passphrase))
    return "it is one of the first that are guessed";
  return NULL;
}
