/* The statements for what was learned; part of sql.h. */
#ifndef HO_STORE_SQL_KNOWLEDGE_H
#define HO_STORE_SQL_KNOWLEDGE_H

#include "store/sql_columns.h"

/* clang-format off */
#define HO_KNOWN_COLUMNS(X, LAST) \
  X(1, NUMBER, n, n, FIXED) \
  X(2, TEXT, id, id, FIXED) \
  X(3, KNOWN_KIND, kind, kind, FIXED) \
  X(4, TEXT, text, text, CHANGED) \
  X(5, TEXT, detail, detail, CHANGED) \
  X(6, TEXT, tags, tags, CHANGED) \
  X(7, NUMBER, severity, severity, CHANGED) \
  X(8, KNOWN_STATE, state, state, CHANGED) \
  X(9, NUMBER, first_seen, first, CHANGED) \
  X(10, NUMBER, last_seen, last, CHANGED) \
  LAST(11, NUMBER, sources, sources, CHANGED)
/* clang-format on */
#define HO_KNOWN_FIND(where) "SELECT " HO_NAMES(HO_KNOWN_COLUMNS) " FROM knowledge WHERE " where

/* A bounded selection of nodes, newest first. $1 is the value looked up in the index. These filter unless empty: $2
 * task, $3 agent, $4 time; at most $5 rows. */
#define HO_KNOWN_SAID_IN(what)                                                                                         \
  "EXISTS (SELECT 1 FROM knowledge_sources s JOIN knowledge_origins o ON o.n = s.origin WHERE s.node = c.node "        \
  "AND " what ")"
#define HO_KNOWN_CHOOSE(candidates)                                                                                    \
  "SELECT " HO_NAMES(HO_KNOWN_COLUMNS) " FROM (SELECT DISTINCT node FROM (" candidates                                 \
                                       ") c WHERE ($2 = '' OR " HO_KNOWN_SAID_IN(                                      \
                                           "o.task = $2") ") AND ($3 = '' "                                            \
                                                          "OR " HO_KNOWN_SAID_IN(                                      \
                                                              "o.agent = "                                             \
                                                              "$3") ") AND "                                           \
                                                                    "($4 = "                                           \
                                                                    "0 "                                               \
                                                                    "OR"                                               \
                                                                    " " HO_KNOWN_SAID_IN(                              \
                                                                        "o."                                           \
                                                                        "at"                                           \
                                                                        " >"                                           \
                                                                        "= "                                           \
                                                                        "$"                                            \
                                                                        "4") ") LIMIT $5) JOIN knowledge ON n = node " \
                                                                             "ORDER BY n DESC"

/* No statement used for learning has RETURNING: SQLite makes a savepoint for it, and every savepoint makes the
 * full-text index flush what it has gathered. */
#define HO_STATEMENTS_KNOWLEDGE(X)                                                                                     \
  X(ORIGIN_GET, "SELECT n, digest FROM knowledge_origins WHERE name = $1")                                             \
  X(ORIGIN_NEXT, "SELECT coalesce(max(n), 0) + 1 FROM knowledge_origins")                                              \
  X(ORIGIN_ADD, "INSERT INTO knowledge_origins (name, digest, format, task, phase, agent, outcome, at, n) VALUES "     \
                "($1, $2, $3, $4, $5, $6, $7, $8, $9)")                                                                \
  X(ORIGIN_CHANGE, "UPDATE knowledge_origins SET digest = $2, format = $3, task = $4, phase = $5, agent = $6, "        \
                   "outcome = $7, at = $8 WHERE name = $1")                                                            \
  X(ORIGIN_PARTS, "SELECT n FROM knowledge_origins WHERE name = $1 OR (name >= $2 AND name < $3)")                     \
  X(ORIGIN_HOLLOW, "UPDATE knowledge_origins SET digest = '', agent = '' WHERE n = $1 AND outcome <> ''")              \
  X(ORIGIN_DROP, "DELETE FROM knowledge_origins WHERE n = $1")                                                         \
  X(ORIGIN_COMPLETED, "SELECT name FROM knowledge_origins WHERE task = $1 AND outcome = 'completed' AND at > $2 AND "  \
                      "(phase = '' OR phase = $3) ORDER BY at LIMIT 1")                                                \
  X(ORIGIN_NEWEST, "SELECT name, outcome, at, phase FROM knowledge_origins WHERE task = $1 AND outcome <> '' "         \
                   "ORDER BY at DESC, n DESC LIMIT 1")                                                                 \
  X(ORIGIN_MISSING,                                                                                                    \
    HO_FIND("seq > $1 AND seq <= $3 AND NOT EXISTS (SELECT 1 FROM knowledge_origins WHERE name = handoffs.id) "        \
            "ORDER BY seq LIMIT $2"))                                                                                  \
                                                                                                                       \
  X(KNOWN_BY_PRINT, HO_KNOWN_FIND("print = $1"))                                                                       \
  X(KNOWN_BY_ID, HO_KNOWN_FIND("id = $1"))                                                                             \
  X(KNOWN_GET, HO_KNOWN_FIND("n = $1"))                                                                                \
  X(KNOWN_NEXT, "SELECT coalesce(max(n), 0) + 1 FROM knowledge")                                                       \
  X(KNOWN_ADD, "INSERT INTO knowledge (" HO_NAMES(HO_KNOWN_COLUMNS) ", print) VALUES (" HO_VALUES(                     \
                   HO_KNOWN_COLUMNS) ", $12) ON CONFLICT (id) DO NOTHING")                                             \
  X(KNOWN_CHANGE, "UPDATE knowledge SET " HO_SETS(HO_KNOWN_COLUMNS) " WHERE n = $1")                                   \
  X(KNOWN_CLEAR, "DELETE FROM knowledge")                                                                              \
  X(ORIGIN_CLEAR, "DELETE FROM knowledge_origins")                                                                     \
  X(KNOWN_SOURCE_CLEAR, "DELETE FROM knowledge_sources")                                                               \
  X(EDGE_CLEAR, "DELETE FROM knowledge_edges")                                                                         \
  X(KNOWN_DROP, "DELETE FROM knowledge WHERE n = $1")                                                                  \
                                                                                                                       \
  X(KNOWN_SOURCE_ADD, "INSERT INTO knowledge_sources (node, origin, line, role, note, asks, closed_by, said) VALUES "  \
                      "($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (node, origin, line) DO NOTHING")                  \
  X(KNOWN_SOURCES, "SELECT o.name, s.line, s.role, o.task, o.phase, o.agent, o.at, s.note, s.asks, s.closed_by FROM "  \
                   "knowledge_sources s JOIN knowledge_origins o ON o.n = s.origin WHERE s.node = $1 "                 \
                   "ORDER BY +o.at DESC, +o.n DESC, s.line LIMIT $2")                                                  \
  X(KNOWN_LAST_TASK, "SELECT o.task FROM knowledge_sources s JOIN knowledge_origins o ON o.n = s.origin WHERE "        \
                     "s.node = $1 ORDER BY s.origin DESC, s.line DESC LIMIT 1")                                        \
  X(KNOWN_TASKS_OF, "SELECT o.task FROM knowledge_sources s JOIN knowledge_origins o ON o.n = s.origin WHERE "         \
                    "s.node = $1 AND o.task <> '' AND ($2 = '' OR o.agent = $2) AND o.at >= $3 GROUP BY o.task "       \
                    "ORDER BY max(o.at) DESC, max(o.n) DESC")                                                          \
  X(KNOWN_SOURCE_SAID, "UPDATE knowledge_sources SET said = $2 WHERE node = $1 AND said = ''")                         \
  X(KNOWN_SOURCE_FOLD, "SELECT s.said, o.at FROM knowledge_sources s JOIN knowledge_origins o ON o.n = s.origin "      \
                       "WHERE s.node = $1 ORDER BY o.at, o.n, s.line")                                                 \
  X(KNOWN_SOURCE_COUNT, "SELECT count(*) FROM knowledge_sources WHERE node = $1")                                      \
  X(KNOWN_SOURCE_ASKS, "SELECT count(*) FROM knowledge_sources WHERE node = $1 AND asks <> ''")                        \
  X(KNOWN_SOURCE_CLOSE, "UPDATE knowledge_sources SET asks = '', closed_by = $3 WHERE node = $1 AND asks <> '' AND "   \
                        "($2 = 0 OR origin = $2)")                                                                     \
  X(KNOWN_OF_ORIGIN, "SELECT DISTINCT node FROM knowledge_sources WHERE origin = $1")                                  \
  X(KNOWN_SOURCE_DROP, "DELETE FROM knowledge_sources WHERE origin = $1")                                              \
  X(KNOWN_ASKING, "SELECT DISTINCT s.node, s.origin FROM knowledge_sources s JOIN knowledge_origins o ON "             \
                  "o.n = s.origin WHERE s.asks = $1 AND s.asks <> '' AND ($2 = '' OR o.phase = $2) AND o.at < $3")     \
  X(KNOWN_ASKED_IN, "SELECT s.node, s.origin FROM knowledge_origins o JOIN knowledge_sources s ON s.origin = o.n "     \
                    "WHERE o.name >= $1 AND o.name < $2 AND (s.asks <> '' OR (s.closed_by = $3 AND $3 <> ''))")        \
                                                                                                                       \
  X(EDGE_ADD, "INSERT INTO knowledge_edges (src, type, dst, origin) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING")   \
  X(EDGE_DROP, "DELETE FROM knowledge_edges WHERE src = $1 AND origin = $2")                                           \
  X(EDGE_DROP_ALL, "DELETE FROM knowledge_edges WHERE src = $1")                                                       \
  X(EDGE_DROP_TO, "DELETE FROM knowledge_edges WHERE dst = $1")                                                        \
  X(EDGE_FROM, "SELECT DISTINCT src, type, dst FROM knowledge_edges WHERE src = $1 AND ($2 = 0 OR type = $2) "         \
               "ORDER BY type, dst LIMIT $3")                                                                          \
  X(EDGE_TO, "SELECT DISTINCT src, type, dst FROM knowledge_edges WHERE dst = $1 AND type = $2 ORDER BY src DESC "     \
             "LIMIT $3")                                                                                               \
  X(EDGE_TO_ANY,                                                                                                       \
    "SELECT DISTINCT src, type, dst FROM knowledge_edges WHERE dst = $1 ORDER BY type DESC, src DESC LIMIT $3")        \
                                                                                                                       \
  X(WORDS_ADD, "INSERT INTO knowledge_words (rowid, words, facets) VALUES ($1, $2, $3)")                               \
  X(WORDS_DROP, "INSERT INTO knowledge_words (knowledge_words, rowid, words, facets) VALUES ('delete', $1, $2, $3)")   \
                                                                                                                       \
  X(KNOWN_WORDS, HO_KNOWN_CHOOSE("SELECT rowid AS node FROM knowledge_words WHERE knowledge_words MATCH $1 "           \
                                 "ORDER BY rowid DESC LIMIT $6"))                                                      \
  X(KNOWN_TO, HO_KNOWN_CHOOSE("SELECT src AS node FROM knowledge_edges WHERE dst = $1 ORDER BY type DESC, src DESC"))  \
  X(KNOWN_TASK, HO_KNOWN_CHOOSE("SELECT s.node AS node FROM knowledge_origins o JOIN knowledge_sources s ON "          \
                                "s.origin = o.n WHERE o.task = $1 ORDER BY o.at DESC, o.n DESC, s.node DESC"))         \
  X(KNOWN_AGENT, HO_KNOWN_CHOOSE("SELECT s.node AS node FROM knowledge_origins o JOIN knowledge_sources s ON "         \
                                 "s.origin = o.n WHERE o.agent = $1 ORDER BY o.at DESC, o.n DESC, s.node DESC"))       \
  X(KNOWN_SINCE, HO_KNOWN_CHOOSE("SELECT s.node AS node FROM knowledge_origins o JOIN knowledge_sources s ON "         \
                                 "s.origin = o.n WHERE o.at >= $1 ORDER BY o.at DESC, o.n DESC, s.node DESC"))         \
  X(KNOWN_ALL, HO_KNOWN_FIND("$1 = 0 OR n < $1 ORDER BY n DESC LIMIT $2"))                                             \
  X(KNOWN_KIND, HO_KNOWN_FIND("kind = $1 AND state = $2 AND severity >= $3 ORDER BY severity DESC, n DESC LIMIT $4"))  \
  X(KNOWN_KIND_COUNT, "SELECT count(*) FROM knowledge WHERE kind = $1 AND state = $2 AND severity >= $3")              \
  X(KNOWN_SAID,                                                                                                        \
    "SELECT " HO_NAMES(                                                                                                \
        HO_KNOWN_COLUMNS) ", note, role, name, line, at, closed_by FROM (SELECT s.node AS node, s.note AS note, "      \
                          "s.role AS role, o.name AS name, s.line AS line, o.at AS at, s.closed_by AS closed_by FROM " \
                          "knowledge_origins o "                                                                       \
                          "JOIN knowledge_sources s ON s.origin = o.n WHERE o.task = $1 AND s.role NOT IN ($3, $4) "   \
                          "ORDER BY o.at DESC, o.n DESC, s.node LIMIT $2) JOIN knowledge ON n = node")                 \
  X(KNOWN_ENDS, "SELECT s.node FROM knowledge_origins o JOIN knowledge_sources s ON s.origin = o.n WHERE o.task = $1 " \
                "AND s.role = $2 ORDER BY o.at DESC, o.n DESC, s.node LIMIT $3")
#endif
