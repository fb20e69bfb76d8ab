/**
 * Conventions: times are milliseconds since the epoch, hours are whole hours since the epoch. Ids and hashes in hex are
 * stored as blobs. Tables written by the digest have no foreign keys: a check per row would cost more than the row.
 */
export const initial = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name TEXT NOT NULL,
  admin INTEGER NOT NULL,
  blocked INTEGER NOT NULL DEFAULT 0,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE access_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX access_tokens_of_user ON access_tokens (user_id);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name TEXT NOT NULL,
  visibility TEXT NOT NULL,
  monitor_enabled INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;

-- Former paths. A project at the path itself goes first.
CREATE TABLE project_redirects (
  path TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX project_redirects_of_project ON project_redirects (project_id);

-- Ids that a project had in another tracker, for DSNs brought along.
CREATE TABLE project_aliases (
  alias_id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE
) STRICT;
CREATE INDEX project_aliases_of_project ON project_aliases (project_id);

-- Projects whose data is still being removed.
CREATE TABLE removed_projects (id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE members (
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  access_level INTEGER NOT NULL,
  PRIMARY KEY (project_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_user ON members (user_id, project_id);

CREATE TABLE settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  active INTEGER NOT NULL DEFAULT 0,
  integrated INTEGER NOT NULL DEFAULT 1,
  api_url TEXT,
  project_name TEXT,
  organization_name TEXT,
  thirdparty_project_id TEXT,
  sealed_token TEXT
) STRICT;

CREATE TABLE client_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  active INTEGER NOT NULL DEFAULT 1,
  public_key TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX client_keys_of_project ON client_keys (project_id, id);

-- One row per grouping key; the id is the public number. status: 0 unresolved, 1 resolved, 2 ignored.
-- search_text is title, message, type and culprit in lower case; stored counts the payloads still kept.
CREATE TABLE errors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  leaf BLOB NOT NULL UNIQUE,
  grouping_version INTEGER NOT NULL,
  status INTEGER NOT NULL DEFAULT 0,
  resolved_at INTEGER,
  merged_into INTEGER,
  count INTEGER NOT NULL DEFAULT 0,
  user_count INTEGER NOT NULL DEFAULT 0,
  stored INTEGER NOT NULL DEFAULT 0,
  newest_received INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  first_event BLOB NOT NULL,
  first_release TEXT,
  last_seen INTEGER NOT NULL,
  last_event BLOB NOT NULL,
  last_release TEXT,
  level TEXT NOT NULL,
  platform TEXT NOT NULL,
  type TEXT,
  title TEXT NOT NULL,
  culprit TEXT,
  message TEXT,
  search_text TEXT NOT NULL
) STRICT;
-- One per sort; every index ends with the row's id by itself. A list of every status merges three ranges of the same index.
CREATE INDEX errors_by_last_seen ON errors (project_id, status, last_seen) WHERE merged_into IS NULL;
CREATE INDEX errors_by_first_seen ON errors (project_id, status, first_seen) WHERE merged_into IS NULL;
CREATE INDEX errors_by_count ON errors (project_id, status, count) WHERE merged_into IS NULL;
CREATE INDEX errors_by_users ON errors (project_id, status, user_count) WHERE merged_into IS NULL;
CREATE INDEX errors_by_stored ON errors (stored);

-- Recognises repeats; outlives the payload with the same id. Rows are appended in the order of taking,
-- which is nearly that of received_at: pruning walks from the low end and needs no index for it.
CREATE TABLE event_keys (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  UNIQUE (project_id, event_id)
) STRICT;

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  error_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  payload BLOB NOT NULL
) STRICT;
CREATE INDEX events_of_error ON events (error_id, at);

CREATE TABLE error_users (
  error_id INTEGER NOT NULL,
  user_hash BLOB NOT NULL,
  PRIMARY KEY (error_id, user_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE error_hours (
  error_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (error_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX error_hours_by_hour ON error_hours (hour);

-- total counts every event with the tag; value_count is the number of rows in error_tags.
CREATE TABLE error_tag_keys (
  error_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  total INTEGER NOT NULL,
  value_count INTEGER NOT NULL,
  PRIMARY KEY (error_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE error_tags (
  error_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (error_id, key, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE outcomes (
  project_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  category TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour, key_id, category, outcome, reason)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcomes_by_hour ON outcomes (hour);

-- The last batch of each journal that was applied.
CREATE TABLE journals (
  journal_id BLOB PRIMARY KEY,
  n INTEGER NOT NULL,
  hash BLOB NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
