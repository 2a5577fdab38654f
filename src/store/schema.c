/* The tables, and how an older store is migrated. */
#include "store/inside.h"

#include <unistd.h>

#include "base/memory.h"

/* Step N turns version N - 1 into N. A released step never changes. */
const char *const ho_schema_steps[] = {
    /* 1 */
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE ids (scope TEXT PRIMARY KEY, next BIGINT NOT NULL);"
    "CREATE TABLE bodies (n INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, size BIGINT NOT NULL, body TEXT NOT "
    "NULL);"
    "CREATE TABLE handoffs (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, type TEXT NOT NULL,"
    " sender TEXT NOT NULL, task TEXT NOT NULL, phase TEXT NOT NULL, session TEXT NOT NULL, created BIGINT NOT NULL,"
    " digest TEXT NOT NULL, idem_key TEXT NOT NULL, parent TEXT NOT NULL, state TEXT NOT NULL, receiver TEXT NOT NULL,"
    " path TEXT NOT NULL, updated BIGINT NOT NULL, attempt BIGINT NOT NULL, lease_until BIGINT NOT NULL,"
    " deadline BIGINT NOT NULL, due BIGINT NOT NULL, token TEXT NOT NULL, claimed_by TEXT NOT NULL,"
    " claim_session TEXT NOT NULL, gate TEXT NOT NULL, superseded_by TEXT NOT NULL, marks TEXT NOT NULL,"
    " head TEXT NOT NULL, events BIGINT NOT NULL, body BIGINT NOT NULL);"
    "CREATE INDEX handoffs_receiver ON handoffs (receiver, state, seq);"
    "CREATE INDEX handoffs_task ON handoffs (task, receiver, state, seq);"
    "CREATE INDEX handoffs_state ON handoffs (state, seq);"
    "CREATE INDEX handoffs_body ON handoffs (body);"
    "CREATE UNIQUE INDEX handoffs_key ON handoffs (idem_key) WHERE idem_key <> '';"
    "CREATE INDEX handoffs_path ON handoffs (path) WHERE path <> '';"
    "CREATE INDEX handoffs_parent ON handoffs (parent) WHERE parent <> '';"
    "CREATE INDEX handoffs_due ON handoffs (due) WHERE due > 0;"
    "CREATE TABLE events (seq INTEGER PRIMARY KEY, handoff TEXT NOT NULL, n BIGINT NOT NULL, at BIGINT NOT NULL,"
    " actor TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, row TEXT NOT NULL, prev TEXT NOT NULL,"
    " hash TEXT NOT NULL);"
    "CREATE UNIQUE INDEX events_handoff ON events (handoff, n);"
    "CREATE TABLE seals (n INTEGER PRIMARY KEY, upto BIGINT NOT NULL, at BIGINT NOT NULL, prev TEXT NOT NULL,"
    " hash TEXT NOT NULL);"
    "CREATE TABLE gates (id TEXT PRIMARY KEY, handoff TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL,"
    " raised_by TEXT NOT NULL, state TEXT NOT NULL, resume TEXT NOT NULL, raised BIGINT NOT NULL,"
    " deadline BIGINT NOT NULL, decided_by TEXT NOT NULL, decision TEXT NOT NULL, note TEXT NOT NULL,"
    " verified TEXT NOT NULL, decided BIGINT NOT NULL);"
    "CREATE INDEX gates_state ON gates (state, raised);"
    "CREATE INDEX gates_handoff ON gates (handoff);"
    "CREATE TABLE files (handoff TEXT NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL,"
    " size BIGINT NOT NULL, PRIMARY KEY (handoff, kind, path));"
    "CREATE TABLE intents (id INTEGER PRIMARY KEY, path TEXT NOT NULL, mode BIGINT NOT NULL, content TEXT NOT NULL);"
    /* The full-text index has no copy of the text: it reads the bodies. */
    "CREATE VIEW searchable AS SELECT handoffs.seq AS seq, bodies.body AS body FROM handoffs JOIN bodies ON"
    " bodies.n = handoffs.body;"
    "CREATE VIRTUAL TABLE search USING fts5 (body, content = 'searchable', content_rowid = 'seq');",
    /* 2: runs of plans */
    "CREATE TABLE runs (id TEXT PRIMARY KEY, plan TEXT NOT NULL, task TEXT NOT NULL, title TEXT NOT NULL,"
    " options TEXT NOT NULL, state TEXT NOT NULL, why TEXT NOT NULL, lead TEXT NOT NULL, lead_pid BIGINT NOT NULL,"
    " started BIGINT NOT NULL, ended BIGINT NOT NULL, updated BIGINT NOT NULL);"
    "CREATE INDEX runs_plan ON runs (plan, started);"
    "CREATE TABLE run_steps (run TEXT NOT NULL, step TEXT NOT NULL, place BIGINT NOT NULL, name TEXT NOT NULL,"
    " state TEXT NOT NULL, gate TEXT NOT NULL, gate_why TEXT NOT NULL, why TEXT NOT NULL, handoff TEXT NOT NULL,"
    " summary TEXT NOT NULL, note TEXT NOT NULL, progress TEXT NOT NULL, teammates BIGINT NOT NULL, successors BIGINT "
    "NOT NULL,"
    " crashes BIGINT NOT NULL, idle BIGINT NOT NULL, not_before BIGINT NOT NULL, tokens BIGINT NOT NULL,"
    " started BIGINT NOT NULL, ended BIGINT NOT NULL, PRIMARY KEY (run, step));"
    "CREATE TABLE teammates (id TEXT PRIMARY KEY, run TEXT NOT NULL, task TEXT NOT NULL, step TEXT NOT NULL,"
    " n BIGINT NOT NULL, agent TEXT NOT NULL, adapter TEXT NOT NULL, session TEXT NOT NULL, pid BIGINT NOT NULL,"
    " pid_start BIGINT NOT NULL, state TEXT NOT NULL, started BIGINT NOT NULL, ended BIGINT NOT NULL,"
    " exit_status BIGINT NOT NULL, outcome TEXT NOT NULL, from_id TEXT NOT NULL, from_path TEXT NOT NULL,"
    " left_id TEXT NOT NULL, left_path TEXT NOT NULL, folder TEXT NOT NULL, log TEXT NOT NULL, tokens BIGINT NOT NULL,"
    " why TEXT NOT NULL);"
    "CREATE INDEX teammates_run ON teammates (run, started);"
    "CREATE INDEX teammates_task ON teammates (task, started);"
    "CREATE INDEX teammates_state ON teammates (state, started);",
    /* 3: what was learned. Origins are documents; the index of words has no copy of the text. Its pages are small
     * because the newest entries are read first, and FTS5 then reads the last page of every segment from its
     * beginning. */
    "CREATE TABLE knowledge (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, print BIGINT NOT NULL"
    " UNIQUE, text TEXT NOT NULL, detail TEXT NOT NULL, tags TEXT NOT NULL, severity BIGINT NOT NULL, state TEXT NOT"
    " NULL, first_seen BIGINT NOT NULL, last_seen BIGINT NOT NULL, sources BIGINT NOT NULL);"
    "CREATE INDEX knowledge_kind ON knowledge (kind, state, severity, n);"
    "CREATE TABLE knowledge_origins (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, format"
    " TEXT NOT NULL, task TEXT NOT NULL, phase TEXT NOT NULL, agent TEXT NOT NULL, outcome TEXT NOT NULL, at BIGINT"
    " NOT NULL);"
    "CREATE INDEX knowledge_origins_task ON knowledge_origins (task, at);"
    "CREATE INDEX knowledge_origins_agent ON knowledge_origins (agent, at);"
    "CREATE INDEX knowledge_origins_at ON knowledge_origins (at);"
    "CREATE TABLE knowledge_sources (node BIGINT NOT NULL, origin BIGINT NOT NULL, line BIGINT NOT NULL, role TEXT NOT"
    " NULL, note TEXT NOT NULL, asks TEXT NOT NULL, closed_by TEXT NOT NULL, PRIMARY KEY (node, origin, line));"
    "CREATE INDEX knowledge_sources_origin ON knowledge_sources (origin, node);"
    "CREATE INDEX knowledge_sources_asks ON knowledge_sources (asks) WHERE asks <> '';"
    "CREATE TABLE knowledge_edges (src BIGINT NOT NULL, type BIGINT NOT NULL, dst BIGINT NOT NULL, origin BIGINT NOT"
    " NULL, PRIMARY KEY (src, type, dst, origin));"
    "CREATE INDEX knowledge_edges_to ON knowledge_edges (dst, type, src);"
    "CREATE VIRTUAL TABLE knowledge_words USING fts5 (words, facets, content = '', columnsize = 0);"
    "INSERT INTO knowledge_words (knowledge_words, rank) VALUES ('pgsz', 1000);",
    /* 4: what each source said about a node that has several. */
    "ALTER TABLE knowledge_sources ADD COLUMN said TEXT NOT NULL DEFAULT '';",
    /* 5: signatures of people, and the fingerprints of their keys. */
    "ALTER TABLE gates ADD COLUMN signature TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE gates ADD COLUMN signer TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE seals ADD COLUMN signature TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE seals ADD COLUMN signer TEXT NOT NULL DEFAULT '';",
    /* 6: intents know what they replace and whose they are, and stay until their files are synced. Those of earlier
     * versions are nobody's: a file that was not written then is drift now. */
    "ALTER TABLE intents ADD COLUMN expected TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE intents ADD COLUMN owner TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE intents ADD COLUMN at BIGINT NOT NULL DEFAULT 0;"
    "ALTER TABLE intents ADD COLUMN trouble TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE intents ADD COLUMN aside TEXT NOT NULL DEFAULT '';",
    /* 7: which handoffs had a gate, by their events: a row of gates can be deleted without breaking a chain. */
    "CREATE INDEX events_asks ON events (handoff, kind) WHERE kind IN ('gated', 'exhausted', 'gate_raised');",
    /* 8: an intent is found by its file without reading what the others are to write. */
    "CREATE INDEX intents_path ON intents (path, owner);",
    /* 9: which handoffs halt their task. */
    "CREATE INDEX handoffs_halting ON handoffs (task, seq) WHERE marks LIKE '%\"halt\":%';",
    /* 10: about which handoffs something was asked. */
    "CREATE INDEX handoffs_asking ON handoffs (seq) WHERE marks LIKE '%\"questions\":%';",
    /* 11: bodies that are the texts of details files. */
    "CREATE INDEX files_details ON files (digest) WHERE kind = 'details';",
};
const int ho_schema_version = HO_COUNT(ho_schema_steps);
const char ho_schema_digest[] = "414448bde9d65b18aec533a43c133c923f7f546c833e984e68ff2f27813cd71c";

/* Fails unless the database has exactly the tables that the steps make. A store may be a stranger's: a view in a table's
 * place need never end, and a trigger acts on what the program writes. */
static ho_code check_tables(const ho_store *store, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  ho_code code = store->driver->schema(store->db, digest, err);
  if (code || strcmp(digest, ho_schema_digest) == 0)
    return code;
  code = ho_fail_file(err, HO_STORE, ho_str_of(store->path),
                      "its tables, views or triggers are not those that handoff makes, so it is not used; restore a "
                      "backup or run: handoff rebuild");
  err->rule = "store-altered";
  return code;
}

/* Fails for a version that this program cannot have written: it counts the steps that were taken. */
static ho_code check_version(const ho_store *store, int64_t version, ho_error *err)
{
  ho_code code = HO_OK;
  if (version > ho_schema_version) {
    code = ho_fail_file(err, HO_STORE, ho_str_of(store->path),
                        "was written by a newer handoff (schema version %lld, this program knows %d); upgrade "
                        "handoff, or use --store to name another store",
                        (long long)version, ho_schema_version);
    err->rule = "store-newer";
  } else if (version < 0) {
    code = ho_fail_file(err, HO_STORE, ho_str_of(store->path),
                        "has the schema version %lld, which no handoff writes: the store is damaged; restore a backup "
                        "or run: handoff rebuild",
                        (long long)version);
    err->rule = "store-damaged";
  }
  return code;
}

/* Keeps the old store beside the new one. A copy that already exists comes from an attempt that did not finish. */
static ho_code keep_copy(ho_store *store, ho_error *err)
{
  char path[4096];
  int n = snprintf(path, sizeof path, "%s.before-v%d", store->path, ho_schema_version);
  if (n < 0 || (size_t)n >= sizeof path)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(store->path), "the path is too long");
  ho_fs_unlink(path);
  return ho_store_copy(store, path, "", err);
}

static ho_code apply_steps(ho_store *store, int64_t version, ho_error *err)
{
  ho_code code = store->driver->begin(store->db, HO_BEGIN_WRITE, err);
  for (int64_t at = version; at < ho_schema_version && !code; at++)
    code = store->driver->script(store->db, ho_schema_steps[at], err);
  if (!code)
    code = store->driver->set_version(store->db, ho_schema_version, err);
  if (!code)
    code = store->driver->commit(store->db, err);
  if (code)
    store->driver->rollback(store->db);
  return code;
}

/* Under the queue's lock, so that two processes do not both do it: the version is checked again. */
static ho_code upgrade(ho_store *store, ho_error *err)
{
  int64_t version = 0;
  bool empty = false;
  ho_code code = store->driver->version(store->db, &version, &empty, err);
  if (!code)
    code = check_version(store, version, err);
  if (code || version == ho_schema_version)
    return code;
  if (!empty)
    code = keep_copy(store, err);
  if (!code)
    code = apply_steps(store, version, err);
  if (!code)
    code = store->driver->sync(store->db, err);
  if (!code)
    ho_fs_sync(store->path); /* the names of the database and its log */
  return code;
}

ho_code ho_schema_ensure(ho_store *store, ho_error *err)
{
  int64_t version = 0;
  bool empty = false;
  ho_code code = store->driver->version(store->db, &version, &empty, err);
  if (!code)
    code = check_version(store, version, err);
  if (code)
    return code;
  if (version == ho_schema_version)
    return check_tables(store, err);
  if (store->look)
    return ho_fail_file(err, HO_STORE, ho_str_of(store->path), "was written by an older handoff");
  code = ho_queue_enter(store, err);
  if (code)
    return code;
  /* A store that was replaced must not be written to: its log would become that of the new one. */
  bool moved = store->driver->moved(store->db);
  code = moved ? ho_store_reopen(store, err) : upgrade(store, err);
  ho_queue_leave(store);
  return code || moved ? code : check_tables(store, err);
}
