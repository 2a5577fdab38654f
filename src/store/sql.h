/* All statements of the store, in one table.
 *
 * The SQL is plain, so that the same text works for every database. Parameters are $1, $2, …; ids are TEXT, times and numbers BIGINT, JSON is TEXT. */
#ifndef HO_STORE_SQL_H
#define HO_STORE_SQL_H

#include "base/str.h"
#include "store/sql_columns.h"
#include "store/sql_knowledge.h"
#include "store/sql_runs.h"

/* The highest id that an intent has had, in `meta`: they are not used again. */
#define HO_META_INTENTS "store.intents"
#define HO_INTENT_COLUMNS                                                                                              \
  "id, path, mode, expected, content, trouble, aside, EXISTS (SELECT 1 FROM intents AS newer WHERE newer.path = "      \
  "intents.path AND newer.owner = intents.owner AND newer.id > intents.id)"

/* Roles: the next number of the project. */
#define HO_VALUE_NEXT_HANDOFF(n) "(SELECT coalesce(max(seq), 0) + 1 FROM handoffs)"
#define HO_SET_NEXT_HANDOFF(n, column, end)
#define HO_VALUE_NEXT_EVENT(n) "(SELECT coalesce(max(seq), 0) + 1 FROM events)"

/* clang-format off */
/* An entry ends with two words. HASHED: the column is part of the row's fingerprint, which every event records. Which
 * columns are HASHED never changes, or the fingerprints in existing stores would be wrong: a new column is UNHASHED, so
 * nobody notices if it is changed behind the program's back. KEPT: copies of a handoff say it, so that `rebuild` finds it
 * again. */
#define HO_HANDOFF_COLUMNS(X, LAST) \
  X(1, TEXT, id, id, FIXED, HASHED, KEPT) \
  X(2, NUMBER, seq, seq, NEXT_HANDOFF, UNHASHED, LOST) \
  X(3, TEXT, kind, kind, FIXED, HASHED, KEPT) \
  X(4, TEXT, type, type, FIXED, HASHED, KEPT) \
  X(5, TEXT, sender, sender, FIXED, HASHED, KEPT) \
  X(6, TEXT, task, task, FIXED, HASHED, KEPT) \
  X(7, TEXT, phase, phase, FIXED, HASHED, KEPT) \
  X(8, TEXT, session, session, FIXED, HASHED, KEPT) \
  X(9, NUMBER, created, created, FIXED, HASHED, KEPT) \
  X(10, TEXT, digest, digest, FIXED, HASHED, KEPT) \
  X(11, TEXT, idem_key, key, FIXED, HASHED, KEPT) \
  X(12, TEXT, parent, parent, FIXED, HASHED, KEPT) \
  X(13, TEXT, state, state, CHANGED, HASHED, KEPT) \
  X(14, TEXT, receiver, receiver, CHANGED, HASHED, KEPT) \
  X(15, TEXT, path, path, CHANGED, HASHED, KEPT) \
  X(16, NUMBER, updated, updated, CHANGED, UNHASHED, KEPT) \
  X(17, NUMBER, attempt, attempt, CHANGED, HASHED, LOST) \
  X(18, NUMBER, lease_until, lease_until, CHANGED, UNHASHED, LOST) \
  X(19, NUMBER, deadline, deadline, CHANGED, HASHED, KEPT) \
  X(20, NUMBER, due, due, CHANGED, UNHASHED, LOST) \
  X(21, TEXT, token, token, CHANGED, HASHED, LOST) \
  X(22, TEXT, claimed_by, claimed_by, CHANGED, HASHED, LOST) \
  X(23, TEXT, claim_session, claim_session, CHANGED, HASHED, LOST) \
  X(24, TEXT, gate, gate, CHANGED, HASHED, LOST) \
  X(25, TEXT, superseded_by, superseded_by, CHANGED, HASHED, KEPT) \
  X(26, TEXT, marks, marks, CHANGED, HASHED, KEPT) \
  X(27, TEXT, head, head, CHANGED, UNHASHED, LOST) \
  LAST(28, NUMBER, events, events, CHANGED, UNHASHED, LOST)

/* What a list shows. */
#define HO_HANDOFF_BRIEF_COLUMNS(X, LAST) \
  X(1, TEXT, id, id, FIXED) \
  X(2, TEXT, kind, kind, FIXED) \
  X(3, TEXT, sender, sender, FIXED) \
  X(4, TEXT, task, task, FIXED) \
  X(5, TEXT, phase, phase, FIXED) \
  X(6, TEXT, state, state, FIXED) \
  X(7, TEXT, receiver, receiver, FIXED) \
  X(8, TEXT, path, path, FIXED) \
  X(9, NUMBER, seq, seq, FIXED) \
  X(10, NUMBER, created, created, FIXED) \
  X(11, NUMBER, updated, updated, FIXED) \
  LAST(12, TEXT, marks, marks, FIXED)

#define HO_EVENT_COLUMNS(X, LAST) \
  X(1, NUMBER, seq, seq, NEXT_EVENT) \
  X(2, TEXT, handoff, handoff, FIXED) \
  X(3, NUMBER, n, n, FIXED) \
  X(4, NUMBER, at, at, FIXED) \
  X(5, TEXT, actor, actor, FIXED) \
  X(6, TEXT, kind, kind, FIXED) \
  X(7, TEXT, data, data, FIXED) \
  X(8, TEXT, row, row, FIXED) \
  X(9, TEXT, prev, prev, FIXED) \
  LAST(10, TEXT, hash, hash, FIXED)

#define HO_FILE_COLUMNS(X, LAST) \
  X(1, TEXT, handoff, handoff, FIXED) \
  X(2, TEXT, path, path, FIXED) \
  X(3, FILE_KIND, kind, kind, FIXED) \
  X(4, TEXT, digest, digest, CHANGED) \
  LAST(5, NUMBER, size, size, CHANGED)

#define HO_GATE_COLUMNS(X, LAST) \
  X(1, TEXT, id, id, FIXED) \
  X(2, TEXT, handoff, handoff, FIXED) \
  X(3, TEXT, digest, digest, CHANGED) \
  X(4, TEXT, name, name, CHANGED) \
  X(5, TEXT, raised_by, raised_by, CHANGED) \
  X(6, GATE_STATE, state, state, CHANGED) \
  X(7, TEXT, resume, resume, CHANGED) \
  X(8, NUMBER, raised, raised, CHANGED) \
  X(9, NUMBER, deadline, deadline, CHANGED) \
  X(10, TEXT, decided_by, decided_by, CHANGED) \
  X(11, DECISION, decision, decision, CHANGED) \
  X(12, TEXT, note, note, CHANGED) \
  X(13, GATE_KNOWN, verified, known, CHANGED) \
  X(14, NUMBER, decided, decided, CHANGED) \
  X(15, TEXT, signature, signature, CHANGED) \
  LAST(16, TEXT, signer, signer, CHANGED)
/* clang-format on */

/* The filters of a selection besides the one answered by an index: $2 receiver, $3 sender, $4 state or states, $5 kind, $6
 * task, $7 phase, $8 session, $9 holder, $10 since, $11 until, $12 before_seq, $13
 * party; the limit is $14 (HO_FILTERED). */
#define HO_FILTERS                                                                                                     \
  " ($2 = '' OR receiver = $2) AND ($3 = '' OR sender = $3) AND ($5 = '' OR kind = $5)"                                \
  " AND ($4 = '' OR state = $4 OR '|' || $4 || '|' LIKE '%|' || state || '|%')"                                        \
  " AND ($6 = '' OR task = $6) AND ($7 = '' OR phase = $7) AND ($8 = '' OR session = $8)"                              \
  " AND ($9 = '' OR claim_session = $9)"                                                                               \
  " AND ($10 = 0 OR created >= $10) AND ($11 = 0 OR created < $11) AND seq < $12"                                      \
  " AND ($13 = '' OR receiver = $13 OR sender = $13 OR claimed_by = $13)"
#define HO_SELECT(where, order)                                                                                        \
  "SELECT " HO_NAMES(HO_HANDOFF_COLUMNS) " FROM handoffs WHERE " where HO_FILTERS " ORDER BY seq" order " LIMIT $14"
#define HO_FIND(where) "SELECT " HO_NAMES(HO_HANDOFF_COLUMNS) " FROM handoffs WHERE " where

/* Its newest event has this fingerprint of the row. */
#define HO_RECORDED(is)                                                                                                \
  "AND EXISTS (SELECT 1 FROM events WHERE events.handoff = handoffs.id AND events.n = handoffs.events AND "            \
  "events.hash = handoffs.head AND events.row" is ")"

/* Handoffs with a gate that was not approved ($1), or with one that is missing: their events raised more gates than they
 * have. The kinds are those of the index events_asks, letter by letter, or it is not used. */
#define HO_UNAPPROVED                                                                                                  \
  "(SELECT handoff FROM gates WHERE decision <> $1 UNION SELECT handoff FROM events WHERE kind IN ('gated', "          \
  "'exhausted', 'gate_raised') GROUP BY handoff HAVING count(*) > (SELECT count(*) FROM gates WHERE gates.handoff = "  \
  "events.handoff))"

/* Handoffs that halt their task, by a mark; as the index handoffs_halting has it, letter by letter, or it is not used. */
#define HO_HALTING "marks LIKE '%\"halt\":%'"

/* Handoffs about which something was asked and not answered, by a mark; as the index handoffs_asking has it, letter by
 * letter. */
#define HO_ASKING "marks LIKE '%\"questions\":%'"

/* The names of the cursors (handoffs/derived.h) among the small named values. */
#define HO_CURSOR_SEARCH "store.searched"
#define HO_CURSOR_KNOWLEDGE "store.learned"
#define HO_NEWEST_HANDOFF "(SELECT coalesce(max(seq), 0) FROM handoffs)"

/* name, text. What every command adds has no RETURNING: SQLite makes a table for it, in memory, each time. */
#define HO_STATEMENTS(X)                                                                                               \
  X(META_GET, "SELECT value FROM meta WHERE name = $1")                                                                \
  X(META_HAS, "SELECT 1 FROM meta WHERE name = $1 AND value <> ''")                                                    \
  X(META_SET,                                                                                                          \
    "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value")          \
  X(IDS_RESERVE, "INSERT INTO ids (scope, next) VALUES ($1, 1 + $2) ON CONFLICT (scope) DO UPDATE SET next = "         \
                 "ids.next + $2 RETURNING next - $2")                                                                  \
  X(IDS_RAISE, "INSERT INTO ids (scope, next) VALUES ($1, $2) ON CONFLICT (scope) DO UPDATE SET next = "               \
               "CASE WHEN ids.next < excluded.next THEN excluded.next ELSE ids.next END")                              \
  X(IDS_NEXT, "SELECT next FROM ids WHERE scope = $1")                                                                 \
  X(ID_USED, "SELECT 1 WHERE EXISTS (SELECT 1 FROM events WHERE handoff = $1) OR "                                     \
             "EXISTS (SELECT 1 FROM gates WHERE id = $1)")                                                             \
  X(COUNTS, "SELECT (SELECT count(*) FROM handoffs), (SELECT count(*) FROM events), (SELECT count(*) FROM bodies), "   \
            "(SELECT coalesce(sum(size), 0) FROM bodies), (SELECT count(*) FROM seals), "                              \
            "(SELECT count(*) FROM gates WHERE state = 'open')")                                                       \
                                                                                                                       \
  X(BODY_PUT, "INSERT INTO bodies (n, digest, size, body) VALUES ((SELECT coalesce(max(n), 0) + 1 FROM bodies), $1, "  \
              "$2, $3) ON CONFLICT (digest) DO NOTHING")                                                               \
  X(BODY_GET, "SELECT body FROM bodies WHERE digest = $1")                                                             \
  X(BODY_HAS, "SELECT count(*) FROM bodies WHERE digest = $1")                                                         \
  X(BODY_NEWEST,                                                                                                       \
    "SELECT h.path, b.body FROM handoffs h JOIN bodies b ON b.n = h.body WHERE h.task = $1 AND h.kind = $2 "           \
    "ORDER BY h.seq DESC LIMIT 1")                                                                                     \
  X(BODY_EACH, "SELECT digest, size, body FROM bodies")                                                                \
  X(BODY_DROP, "DELETE FROM bodies WHERE digest = $1")                                                                 \
  X(BODY_DELETE,                                                                                                       \
    "DELETE FROM bodies WHERE digest IN (SELECT $1 UNION ALL SELECT digest FROM files WHERE handoff = $2 AND kind = "  \
    "'details') AND NOT EXISTS (SELECT 1 FROM handoffs WHERE handoffs.body = bodies.n) AND NOT EXISTS (SELECT 1 FROM " \
    "gates WHERE gates.digest = bodies.digest) AND NOT EXISTS (SELECT 1 FROM files WHERE kind = 'details' AND "        \
    "files.digest = bodies.digest AND files.handoff <> $2)")                                                           \
                                                                                                                       \
  X(HANDOFF_USED, "SELECT 1 FROM events WHERE handoff = $1 LIMIT 1")                                                   \
  X(HANDOFF_ADD, "INSERT INTO handoffs (" HO_NAMES(HO_HANDOFF_COLUMNS) ", body) VALUES (" HO_VALUES(                   \
                     HO_HANDOFF_COLUMNS) ", (SELECT n FROM bodies WHERE digest = $10)) ON CONFLICT DO NOTHING")        \
  X(HANDOFF_LAST, "SELECT " HO_NEWEST_HANDOFF)                                                                         \
  X(HANDOFF_CHANGE,                                                                                                    \
    "UPDATE handoffs SET " HO_SETS(HO_HANDOFF_COLUMNS) " WHERE id = $1 AND state = $2 AND head = $3 " HO_RECORDED(     \
        " IN ($4, $5)"))                                                                                               \
  X(HANDOFF_HEAD, "UPDATE handoffs SET head = $2, events = $3 WHERE id = $1 AND head = $4")                            \
  X(HANDOFF_RENEW, "UPDATE handoffs SET lease_until = $4, due = $5, updated = $6 WHERE id = $1 AND state = $2 AND "    \
                   "token = $3")                                                                                       \
  X(HANDOFF_DELETE, "DELETE FROM handoffs WHERE id = $1 AND state = $2 " HO_RECORDED(" = $3"))                         \
  X(HANDOFF_GET, HO_FIND("id = $1"))                                                                                   \
  X(HANDOFF_BY_KEY, HO_FIND("idem_key = $1 AND idem_key <> ''"))                                                       \
  X(HANDOFF_BY_PATH, HO_FIND("path = $1 AND path <> '' ORDER BY seq DESC LIMIT 1"))                                    \
  X(HANDOFF_BY_DIGEST, HO_FIND("body = (SELECT n FROM bodies WHERE digest = $1) ORDER BY seq DESC LIMIT 1"))           \
  X(HANDOFF_ALL_BY_DIGEST, HO_FIND("body = (SELECT n FROM bodies WHERE digest = $1) ORDER BY seq DESC LIMIT $2"))      \
  X(HANDOFF_NEWEST, HO_FIND("receiver = $1 AND state = $2 ORDER BY seq DESC LIMIT $3"))                                \
  X(HANDOFF_NEXT, HO_FIND("receiver = $1 AND state = $2 ORDER BY seq LIMIT 1"))                                        \
  X(HANDOFF_NEXT_TASK, HO_FIND("task = $3 AND receiver = $1 AND state = $2 AND ($4 = '' OR phase = $4) "               \
                               "ORDER BY seq LIMIT 1"))                                                                \
  X(HANDOFF_BRIEF, "SELECT " HO_NAMES(HO_HANDOFF_BRIEF_COLUMNS) " FROM handoffs "                                      \
                                                                "WHERE state = $1 ORDER BY seq DESC LIMIT $2")         \
  X(HANDOFF_KEYS, HO_FIND("idem_key >= $1 AND idem_key < $2 AND idem_key <> '' ORDER BY seq"))                         \
  X(HANDOFF_DUE, HO_FIND("due > 0 AND due <= $1 ORDER BY due LIMIT $2"))                                               \
  X(HANDOFF_HALTING, HO_FIND(HO_HALTING " ORDER BY seq LIMIT $1"))                                                     \
  X(HANDOFF_ASKING, HO_FIND(HO_ASKING " ORDER BY seq LIMIT $1"))                                                       \
  X(HANDOFF_AHEAD, HO_FIND("due > 0 AND due > $1 AND updated > $2 AND lease_until > 0 ORDER BY due DESC LIMIT $3"))    \
  X(HANDOFF_BARE, "SELECT id FROM handoffs WHERE NOT EXISTS (SELECT 1 FROM events WHERE handoff = handoffs.id)")       \
  X(HANDOFF_MISPLACED, "SELECT id FROM (SELECT h.id AS id, e.seq AS sent, max(e.seq) OVER (ORDER BY h.seq ROWS "       \
                       "BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM handoffs h JOIN events e ON "      \
                       "e.handoff = h.id AND e.n = 1) AS placed WHERE before > sent")                                  \
  X(HANDOFF_BODILESS,                                                                                                  \
    "SELECT id, digest FROM handoffs WHERE NOT EXISTS (SELECT 1 FROM bodies WHERE "                                    \
    "bodies.n = handoffs.body AND bodies.digest = handoffs.digest) UNION ALL SELECT handoff, digest "                  \
    "FROM files WHERE kind = 'details' AND NOT EXISTS (SELECT 1 FROM bodies WHERE bodies.digest = "                    \
    "files.digest)")                                                                                                   \
  X(HANDOFF_IDS, "SELECT id FROM handoffs UNION SELECT handoff FROM events ORDER BY 1")                                \
  X(HANDOFF_DROP, "DELETE FROM handoffs WHERE id = $1")                                                                \
  X(HANDOFF_STATES, "SELECT state, count(*) FROM handoffs GROUP BY state ORDER BY state")                              \
  X(HANDOFF_RECEIVERS, "SELECT receiver, sum(CASE WHEN state = $1 THEN 1 ELSE 0 END) FROM handoffs "                   \
                       "WHERE receiver <> '' GROUP BY receiver ORDER BY receiver")                                     \
  X(HANDOFF_COUNT, "SELECT '', count(*) FROM handoffs WHERE $1 = '' AND" HO_FILTERS " LIMIT $14")                      \
  X(SELECT_ALL, HO_SELECT("$1 = '' AND", " DESC"))                                                                     \
  X(SELECT_ALL_UP, HO_SELECT("$1 = '' AND", ""))                                                                       \
  X(SELECT_PARENT, HO_SELECT("parent = $1 AND parent <> '' AND", " DESC"))                                             \
  X(SELECT_PARENT_UP, HO_SELECT("parent = $1 AND parent <> '' AND", ""))                                               \
  X(SELECT_TASK, HO_SELECT("task = $1 AND", " DESC"))                                                                  \
  X(SELECT_TASK_UP, HO_SELECT("task = $1 AND", ""))                                                                    \
  X(SELECT_WAITING, HO_SELECT("receiver = $1 AND state = $4 AND", " DESC"))                                            \
  X(SELECT_WAITING_UP, HO_SELECT("receiver = $1 AND state = $4 AND", ""))                                              \
  X(SELECT_RECEIVER, HO_SELECT("receiver = $1 AND", " DESC"))                                                          \
  X(SELECT_RECEIVER_UP, HO_SELECT("receiver = $1 AND", ""))                                                            \
  X(SELECT_STATE, HO_SELECT("state = $1 AND", " DESC"))                                                                \
  X(SELECT_STATE_UP, HO_SELECT("state = $1 AND", ""))                                                                  \
                                                                                                                       \
  X(EVENT_ADD, "INSERT INTO events (" HO_NAMES(HO_EVENT_COLUMNS) ") VALUES (" HO_VALUES(HO_EVENT_COLUMNS) ")")         \
  X(EVENT_LAST, "SELECT " HO_NAMES(HO_EVENT_COLUMNS) " FROM events WHERE handoff = $1 ORDER BY n DESC LIMIT 1")        \
  X(EVENT_OF, "SELECT " HO_NAMES(HO_EVENT_COLUMNS) " FROM events WHERE handoff = $1 ORDER BY n LIMIT $2")              \
  X(EVENT_ALL, "SELECT " HO_NAMES(HO_EVENT_COLUMNS) " FROM events WHERE seq < $1 ORDER BY seq DESC LIMIT $2")          \
  X(EVENT_SINCE, "SELECT " HO_NAMES(HO_EVENT_COLUMNS) " FROM events WHERE seq > $1 ORDER BY seq LIMIT $2")             \
  X(EVENT_CHAINS, "SELECT " HO_NAMES(HO_EVENT_COLUMNS) " FROM events ORDER BY handoff, n")                             \
  X(EVENT_SEQS, "SELECT seq FROM events ORDER BY seq")                                                                 \
  X(EVENT_NEWEST, "SELECT coalesce(max(seq), 0) FROM events")                                                          \
  X(EVENT_PRINTS, "SELECT seq, hash FROM events WHERE seq <= $1 ORDER BY seq DESC LIMIT 1")                            \
  X(EVENT_RANGE, "SELECT handoff, n, hash FROM events WHERE seq > $1 AND seq <= $2 "                                   \
                 "ORDER BY handoff || '', n")                                                                          \
  X(EVENT_DROP, "DELETE FROM events WHERE handoff = $1")                                                               \
  X(EVENT_RENUMBER, "UPDATE events SET seq = $2 WHERE seq = $1")                                                       \
  X(EVENT_ERASE, "UPDATE events SET actor = '', data = '' WHERE handoff = $1")                                         \
                                                                                                                       \
  X(SEAL_ADD, "INSERT INTO seals (n, upto, at, prev, hash) VALUES ($1, $2, $3, $4, $5)")                               \
  X(SEAL_CLEAR, "DELETE FROM seals")                                                                                   \
  X(SEAL_LAST, "SELECT n, upto, at, prev, hash, signature, signer FROM seals ORDER BY n DESC LIMIT 1")                 \
  X(SEAL_EACH, "SELECT n, upto, at, prev, hash, signature, signer FROM seals ORDER BY n")                              \
  X(SEAL_SIGN, "UPDATE seals SET signature = $2, signer = $3 WHERE n = $1")                                            \
                                                                                                                       \
  X(GATE_ADD, "INSERT INTO gates (" HO_NAMES(HO_GATE_COLUMNS) ") VALUES (" HO_VALUES(                                  \
                  HO_GATE_COLUMNS) ") ON CONFLICT DO NOTHING")                                                         \
  X(GATE_GET, "SELECT " HO_NAMES(HO_GATE_COLUMNS) " FROM gates WHERE id = $1")                                         \
  X(GATE_SELECT,                                                                                                       \
    "SELECT " HO_NAMES(HO_GATE_COLUMNS) " FROM gates WHERE ($1 = '' OR state = $1) AND ($2 = '' OR handoff = $2) "     \
                                        "ORDER BY raised, id LIMIT $3")                                                \
  X(GATE_STATE, "SELECT " HO_NAMES(HO_GATE_COLUMNS) " FROM gates WHERE state = $1 AND ($2 = '' OR handoff = $2) "      \
                                                    "ORDER BY raised, id LIMIT $3")                                    \
  X(GATE_OF, "SELECT " HO_NAMES(HO_GATE_COLUMNS) " FROM gates WHERE handoff = $2 AND ($1 = '' OR state = $1) "         \
                                                 "ORDER BY raised, id LIMIT $3")                                       \
  X(GATE_DUE,                                                                                                          \
    "SELECT " HO_NAMES(HO_GATE_COLUMNS) " FROM gates WHERE state = 'open' AND deadline > 0 AND deadline <= $1 "        \
                                        "ORDER BY deadline, id LIMIT $2")                                              \
  X(GATE_LATE, "SELECT 1 FROM gates WHERE state = 'open' AND deadline > 0 AND deadline <= $1 LIMIT 1")                 \
  X(GATE_CHANGE, "UPDATE gates SET " HO_SETS(HO_GATE_COLUMNS) " WHERE id = $1 AND state = $2")                         \
  X(GATE_DELETE, "DELETE FROM gates WHERE handoff = $1")                                                               \
  X(GATE_ASKED, "SELECT 1 WHERE EXISTS (SELECT 1 FROM gates) OR EXISTS (SELECT 1 FROM events WHERE kind IN "           \
                "('gated', 'exhausted', 'gate_raised'))")                                                              \
  X(GATE_HANDOFFS,                                                                                                     \
    HO_FIND("id IN " HO_UNAPPROVED " OR id IN (SELECT handoff FROM gates WHERE decision = $1 ORDER BY raised DESC "    \
            "LIMIT $2) ORDER BY id IN " HO_UNAPPROVED " DESC, seq DESC LIMIT $3"))                                     \
                                                                                                                       \
  X(FILE_PUT, "INSERT INTO files (" HO_NAMES(HO_FILE_COLUMNS) ") VALUES (" HO_VALUES(                                  \
                  HO_FILE_COLUMNS) ") ON CONFLICT (handoff, kind, path) DO UPDATE SET " HO_SETS(HO_FILE_COLUMNS))      \
  X(FILE_SELECT, "SELECT " HO_NAMES(HO_FILE_COLUMNS) " FROM files WHERE handoff = $1 ORDER BY kind, path")             \
  X(FILE_DROP, "DELETE FROM files WHERE handoff = $1 AND kind = $2 AND path <> $3")                                    \
  X(FILE_DELETE, "DELETE FROM files WHERE handoff = $1")                                                               \
  X(FILE_NAMING, "SELECT DISTINCT handoff FROM files WHERE path = $1 AND kind <> 'archive' ORDER BY handoff")          \
  X(FILE_LEFT, "DELETE FROM files WHERE handoff = $1 AND path = $2 AND kind <> 'archive'")                             \
                                                                                                                       \
  X(INTENT_ADD,                                                                                                        \
    "INSERT INTO intents (id, path, mode, expected, content, owner, at, trouble, aside) VALUES ((SELECT "              \
    "coalesce(max(n), 0) + 1 FROM (SELECT max(id) AS n FROM intents UNION ALL SELECT CAST(value AS BIGINT) FROM meta " \
    "WHERE name = '" HO_META_INTENTS "') AS given), $1, $2, $3, $4, $5, $6, '', '')")                                  \
  X(INTENT_OF, "SELECT expected, content FROM intents WHERE path = $1 AND owner = $2 AND aside = '' ORDER BY id DESC") \
  X(INTENT_REPLACE,                                                                                                    \
    "DELETE FROM intents WHERE path = $1 AND owner = $2 AND aside = '' AND (id > $3 OR trouble <> '') AND "            \
    "id < (SELECT max(id) FROM intents)")                                                                              \
  X(INTENT_FIRST, "SELECT id, at FROM intents WHERE owner = $1 AND trouble = '' ORDER BY id LIMIT 1")                  \
  X(INTENT_LAST, "SELECT id FROM intents WHERE owner = $1 AND trouble = '' ORDER BY id DESC LIMIT 1")                  \
  X(INTENT_TROUBLES, "SELECT count(*) FROM intents WHERE owner = $1 AND trouble <> ''")                                \
  X(INTENT_EACH, "SELECT " HO_INTENT_COLUMNS                                                                           \
                 " FROM intents WHERE owner = $1 AND trouble = '' AND id > $2 AND id <= $3 ORDER BY id LIMIT $4")      \
  X(INTENT_TROUBLED,                                                                                                   \
    "SELECT " HO_INTENT_COLUMNS " FROM intents WHERE owner = $1 AND trouble <> '' ORDER BY id LIMIT $4")               \
  X(INTENT_OPEN, "SELECT path, trouble FROM intents WHERE owner = $1 AND (id > $2 OR trouble <> '') ORDER BY id")      \
  X(INTENT_TROUBLE, "UPDATE intents SET trouble = $2, aside = $3 WHERE id = $1")                                       \
  X(INTENT_DONE, "DELETE FROM intents WHERE id = $1")                                                                  \
  X(INTENT_GIVE_UP, "DELETE FROM intents WHERE owner = $1 AND trouble <> '' AND path = $2")                            \
  X(INTENT_FORGET, "DELETE FROM intents WHERE owner = $1 AND trouble = '' AND id <= $2")                               \
  X(INTENT_COUNT,                                                                                                      \
    "SELECT count(*) FROM intents WHERE owner = $1 AND (id > $2 OR trouble <> '') AND ($3 = '' OR path = $3)")         \
  X(INTENT_ALL, "SELECT path FROM intents ORDER BY id")                                                                \
  X(INTENT_CLEAR, "DELETE FROM intents")                                                                               \
  X(INTENT_SETTLED, "DELETE FROM intents WHERE trouble = '' AND NOT (owner = $1 AND id > $2)")                         \
  X(INTENT_ADOPT, "UPDATE intents SET owner = $1")                                                                     \
                                                                                                                       \
  X(DERIVED_BEGIN, "INSERT INTO meta (name, value) VALUES ('" HO_CURSOR_SEARCH "', $1), ('" HO_CURSOR_KNOWLEDGE        \
                   "', $1) ON CONFLICT (name) DO NOTHING")                                                             \
  X(DERIVED_GAP, "SELECT coalesce((SELECT CAST(value AS BIGINT) FROM meta WHERE name = $1), " HO_NEWEST_HANDOFF        \
                 "), " HO_NEWEST_HANDOFF)                                                                              \
  X(DERIVED_END, "SELECT coalesce(max(seq), 0) FROM (SELECT seq FROM handoffs WHERE seq > $1 ORDER BY seq LIMIT $2)")  \
  X(DERIVED_BACK, "UPDATE meta SET value = " HO_NEWEST_HANDOFF " WHERE name IN ('" HO_CURSOR_SEARCH                    \
                  "', '" HO_CURSOR_KNOWLEDGE "') AND CAST(value AS BIGINT) > " HO_NEWEST_HANDOFF)                      \
                                                                                                                       \
  X(SEARCH_ADD, "INSERT INTO search (rowid, body) SELECT seq, body FROM searchable WHERE seq > $1 AND seq <= $2 AND "  \
                "NOT EXISTS (SELECT 1 FROM search_docsize WHERE id = seq) ORDER BY seq")                               \
  X(SEARCH_DROP, "INSERT INTO search (search, rowid, body) SELECT 'delete', $1, $2 WHERE EXISTS (SELECT 1 FROM "       \
                 "search_docsize WHERE id = $1)")                                                                      \
  X(SEARCH,                                                                                                            \
    "SELECT " HO_NAMES(HO_HANDOFF_COLUMNS) ", snippet(search, 0, '\xE2\x81\xA8', '\xE2\x81\xA9', '\xE2\x80\xA6', 16) " \
                                           "FROM search JOIN handoffs ON handoffs.seq = search.rowid WHERE search "    \
                                           "MATCH $1 AND" HO_FILTERS " ORDER BY search.rowid DESC LIMIT $14")          \
  X(SEARCH_TEXTS,                                                                                                      \
    "SELECT seq, body FROM searchable WHERE seq <= $1 OR EXISTS (SELECT 1 FROM search_docsize WHERE id = seq)")        \
  HO_STATEMENTS_TEAMMATES(X)                                                                                           \
  HO_STATEMENTS_KNOWLEDGE(X)

typedef enum ho_sql {
#define X(name, text) HO_SQL_##name,
  HO_STATEMENTS(X)
#undef X
      HO_SQL_COUNT
} ho_sql;

const char *ho_sql_text(ho_sql statement);
#endif
