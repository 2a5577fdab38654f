/* The names that secrets are given. */
#include "model/secrets/secrets_inside.h"

enum { LONGEST_NAME = 64, MOST_NUMBER = 2 };

/* Ends of names, written together. ALONE only counts as a word of its own ("x_pwd", but not "cwpwd"), BEHIND only behind
 * another word ("db_pass", but not "pass"), and GLUED only as one word ("JSESSIONID", but not "session_id"). */
typedef struct name {
  const char *end;
  ho_secret_strength strength;
  enum { ANY, ALONE, BEHIND, GLUED } place;
} name;

static const name names[] = {
    {"password", HO_SECRET_STRONG, ANY},
    {"passwords", HO_SECRET_STRONG, ANY},
    {"passwd", HO_SECRET_STRONG, ANY},
    {"passwort", HO_SECRET_STRONG, ANY},
    {"passphrase", HO_SECRET_STRONG, ANY},
    {"pwd", HO_SECRET_STRONG, ALONE},
    {"pswd", HO_SECRET_STRONG, ALONE},
    {"secret", HO_SECRET_STRONG, ALONE},
    {"secrets", HO_SECRET_FAIR, ALONE},
    {"secretkey", HO_SECRET_STRONG, ANY},
    {"secretid", HO_SECRET_WEAK, ANY},
    {"clientsecret", HO_SECRET_STRONG, ANY},
    {"secretkeybase", HO_SECRET_STRONG, ANY},
    {"apikey", HO_SECRET_STRONG, ANY},
    {"apisecret", HO_SECRET_STRONG, ANY},
    {"apitoken", HO_SECRET_STRONG, ANY},
    {"accesstoken", HO_SECRET_STRONG, ANY},
    {"authtoken", HO_SECRET_STRONG, ANY},
    {"refreshtoken", HO_SECRET_STRONG, ANY},
    {"bearertoken", HO_SECRET_STRONG, ANY},
    {"privatetoken", HO_SECRET_STRONG, ANY},
    {"jobtoken", HO_SECRET_STRONG, ANY},
    {"deploytoken", HO_SECRET_STRONG, ANY},
    {"vaulttoken", HO_SECRET_STRONG, ANY},
    {"sessiontoken", HO_SECRET_STRONG, ANY},
    {"privatekey", HO_SECRET_STRONG, ANY},
    {"accesskey", HO_SECRET_STRONG, ANY},
    {"secretaccesskey", HO_SECRET_STRONG, ANY},
    {"accountkey", HO_SECRET_STRONG, ANY},
    {"encryptionkey", HO_SECRET_STRONG, ANY},
    {"signingkey", HO_SECRET_STRONG, ANY},
    {"masterkey", HO_SECRET_STRONG, ANY},
    {"authkey", HO_SECRET_STRONG, ALONE},
    {"licensekey", HO_SECRET_WEAK, ANY},
    {"subscriptionkey", HO_SECRET_STRONG, ANY},
    {"cookiesecret", HO_SECRET_STRONG, ANY},
    {"sastoken", HO_SECRET_STRONG, ANY},
    {"credential", HO_SECRET_WEAK, ANY},
    {"credentials", HO_SECRET_WEAK, ANY},
    {"passcode", HO_SECRET_STRONG, ANY},
    {"pass", HO_SECRET_FAIR, BEHIND},
    {"pass", HO_SECRET_WEAK, ALONE},
    {"storepass", HO_SECRET_FAIR, ANY},
    {"keypass", HO_SECRET_FAIR, ANY},
    {"userpass", HO_SECRET_FAIR, ANY},
    {"dbpass", HO_SECRET_FAIR, ANY},
    {"sshpass", HO_SECRET_FAIR, ALONE},
    {"pw", HO_SECRET_FAIR, ALONE},
    {"rootpw", HO_SECRET_FAIR, ANY},
    {"bindpw", HO_SECRET_FAIR, ANY},
    {"adminpw", HO_SECRET_FAIR, ANY},
    {"userpw", HO_SECRET_FAIR, ANY},
    {"dbpw", HO_SECRET_FAIR, ANY},
    {"psk", HO_SECRET_FAIR, ALONE},
    {"appkey", HO_SECRET_FAIR, ANY},
    {"servicekey", HO_SECRET_FAIR, ANY},
    {"servicerolekey", HO_SECRET_FAIR, ANY},
    {"adminkey", HO_SECRET_FAIR, ANY},
    {"storagekey", HO_SECRET_FAIR, ANY},
    {"deploykey", HO_SECRET_FAIR, ANY},
    {"functionkey", HO_SECRET_FAIR, ANY},
    {"sharedkey", HO_SECRET_FAIR, ANY},
    {"clientkeydata", HO_SECRET_FAIR, ANY},
    {"sessionid", HO_SECRET_WEAK, GLUED},
    {"cookie", HO_SECRET_WEAK, ALONE},
    {"jwt", HO_SECRET_WEAK, ALONE},
    {"token", HO_SECRET_WEAK, ALONE},
    {"auth", HO_SECRET_WEAK, ALONE},
    {"authorization", HO_SECRET_WEAK, ALONE},
    {"signature", HO_SECRET_WEAK, ALONE},
    {"sig", HO_SECRET_WEAK, ALONE},
    /* As other languages say it. */
    {"kennwort", HO_SECRET_FAIR, ANY},
    {"motdepasse", HO_SECRET_FAIR, ANY},
    {"passe", HO_SECRET_FAIR, ALONE},
    {"mdp", HO_SECRET_FAIR, ALONE},
    {"contrasena", HO_SECRET_FAIR, ANY},
    {"senha", HO_SECRET_FAIR, ALONE},
    {"wachtwoord", HO_SECRET_FAIR, ANY},
    {"haslo", HO_SECRET_FAIR, ALONE},
    {"parola", HO_SECRET_FAIR, ALONE},
    {"passord", HO_SECRET_FAIR, ANY},
    {"salasana", HO_SECRET_FAIR, ANY},
    {"heslo", HO_SECRET_FAIR, ALONE},
};

/* Those that are not written in ASCII, as they are written. */
static const char *const foreign[] = {"contrase\xc3\xb1"
                                      "a",
                                      "CONTRASE\xc3\x91"
                                      "A",
                                      "has\xc5\x82o",
                                      "l\xc3\xb6senord",
                                      "jelsz\xc3\xb3",
                                      "\xc5\x9fifre",
                                      "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
                                      "\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
                                      "\xd0\x9f\xd0\x90\xd0\xa0\xd0\x9e\xd0\x9b\xd0\xac",
                                      "\xe5\xaf\x86\xe7\xa0\x81",
                                      "\xe5\xaf\x86\xe7\xa2\xbc",
                                      "\xe5\x8f\xa3\xe4\xbb\xa4",
                                      "\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89",
                                      "\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8"};

/* The letters and digits of a key, and where its words begin. */
typedef struct letters {
  char text[LONGEST_NAME + 1];
  bool begins[LONGEST_NAME + 1];
  size_t n;
} letters;

static void spell(ho_str key, letters *out)
{
  bool word = true;
  for (size_t i = key.n > LONGEST_NAME ? key.n - LONGEST_NAME : 0; i < key.n; i++) {
    char c = key.p[i];
    if (!isalnum((unsigned char)c)) {
      word = true;
      continue;
    }
    out->begins[out->n] = word || (isupper((unsigned char)c) && i && islower((unsigned char)key.p[i - 1]));
    out->text[out->n++] = (char)tolower((unsigned char)c);
    word = false;
  }
}

static bool ends_with(const letters *key, const name *of)
{
  size_t n = strlen(of->end);
  if (key->n < n || memcmp(key->text + key->n - n, of->end, n))
    return false;
  bool begins = key->begins[key->n - n];
  switch (of->place) {
  case ALONE:
    return begins;
  case BEHIND:
    return begins && key->n > n;
  case GLUED:
    for (size_t i = key->n - n + 1; i < key->n; i++)
      if (key->begins[i])
        return false;
    return true;
  default:
    return true;
  }
}

/* Without what frames it or counts it: "__password__", "password_2". */
static ho_str bare(ho_str key)
{
  for (int digits = 0; key.n; key.n--) {
    char c = key.p[key.n - 1];
    if (isdigit((unsigned char)c) ? ++digits > MOST_NUMBER : c != '_' && c != '-' && c != '.')
      break;
  }
  return key;
}

/* Could a name end with these two? Asked first, since most keys do not. */
static bool may_end(char before, char last)
{
  /* By the last letter, the ones before it. */
  static const char *const letters_before[26] = {
      ['a' - 'a'] = "hlnt", ['d' - 'a'] = "irw", ['e' - 'a'] = "dirs", ['g' - 'a'] = "i", ['h' - 'a'] = "t",
      ['k' - 'a'] = "s",    ['l' - 'a'] = "a",   ['n' - 'a'] = "eo",   ['o' - 'a'] = "l", ['p' - 'a'] = "d",
      ['s' - 'a'] = "dlst", ['t' - 'a'] = "erw", ['w' - 'a'] = "p",    ['y' - 'a'] = "e"};
  if ((before | last) & 0x80)
    return true;
  const char *list = islower((unsigned char)last) ? letters_before[last - 'a'] : NULL;
  return list && before && strchr(list, before);
}

ho_secret_strength ho_secret_named(ho_str key)
{
  letters spelled = {.n = 0};
  key = bare(key);
  if (key.n < 2)
    return HO_SECRET_NO_NAME;
  char last = (char)tolower((unsigned char)key.p[key.n - 1]);
  if (!may_end((char)tolower((unsigned char)key.p[key.n - 2]), last))
    return HO_SECRET_NO_NAME;
  for (size_t i = 0; i < HO_COUNT(foreign); i++)
    if (foreign[i][strlen(foreign[i]) - 1] == key.p[key.n - 1] && ho_str_ends(key, foreign[i]))
      return HO_SECRET_FAIR;
  spell(key, &spelled);
  for (size_t i = 0; i < HO_COUNT(names); i++)
    if (ends_with(&spelled, &names[i]))
      return names[i].strength;
  return HO_SECRET_NO_NAME;
}
