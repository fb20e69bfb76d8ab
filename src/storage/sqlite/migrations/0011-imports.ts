/**
 * 11: history imported from other trackers. Columns of errors are read and written with their counts, so that the
 * digest needs no further statement. own_users is null while user_count has own users only.
 */
export const imports = `
-- Part of count that the tracker had counted; greatest number of users that it reported, and own distinct users.
ALTER TABLE errors ADD COLUMN base_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE errors ADD COLUMN base_users INTEGER;
ALTER TABLE errors ADD COLUMN own_users INTEGER;
-- Own events that the tracker has as well: received while it got everything, and those named one by one.
ALTER TABLE errors ADD COLUMN known_both INTEGER NOT NULL DEFAULT 0;
ALTER TABLE errors ADD COLUMN known_marked INTEGER NOT NULL DEFAULT 0;
-- Last change of the status by a person here; null: never.
ALTER TABLE errors ADD COLUMN status_changed_at INTEGER;
-- 1: resolved in the tracker, so that events reopen the error by their own time instead of that of receipt.
ALTER TABLE errors ADD COLUMN resolved_there INTEGER NOT NULL DEFAULT 0;

-- known_until: time up to which the tracker got every event; both_receive_until is what the operator set last.
CREATE TABLE import_sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  organization TEXT NOT NULL,
  project TEXT NOT NULL,
  external_project_id TEXT,
  created_at INTEGER NOT NULL,
  both_receive_until INTEGER,
  known_until INTEGER,
  UNIQUE (project_id, kind, url, organization, project)
) STRICT;

CREATE TABLE import_states (key TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- One per imported error. tracker_count, base_at: of the last counts taken; known_at: known there at that time. put_at:
-- last pass that saw the issue. status, status_at, details: as that pass saw them in the tracker.
CREATE TABLE imported_errors (
  error_id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL,
  issue_id TEXT NOT NULL,
  tracker_count INTEGER,
  base_at INTEGER,
  known_at INTEGER,
  status INTEGER NOT NULL,
  status_at INTEGER,
  details TEXT,
  assignee TEXT,
  external_url TEXT,
  put_at INTEGER NOT NULL,
  UNIQUE (source_id, issue_id)
) STRICT;
CREATE INDEX imported_errors_by_pass ON imported_errors (source_id, put_at);

-- folded: value in lower case by JavaScript's rules.
CREATE TABLE external_references (
  folded TEXT NOT NULL,
  project_id INTEGER NOT NULL,
  error_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (folded, project_id, error_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX external_references_of_error ON external_references (error_id);

-- Group hashes that lead to an imported error. ended_at: null while they do.
CREATE TABLE group_aliases (
  group_hash BLOB PRIMARY KEY,
  project_id INTEGER NOT NULL,
  error_id INTEGER NOT NULL,
  grouping_version INTEGER NOT NULL,
  origin TEXT NOT NULL,
  weak INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX group_aliases_of_error ON group_aliases (error_id);
CREATE INDEX group_aliases_of_project ON group_aliases (project_id);

-- Events that a tracker has as well. error_id: null until the event is stored. known 0: an event whose payload was
-- removed, so that a later mark still finds its error.
CREATE TABLE known_events (
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  error_id INTEGER,
  known INTEGER NOT NULL,
  received_at INTEGER,
  noted_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_events_waiting ON known_events (project_id) WHERE error_id IS NULL;
CREATE INDEX known_events_of_error ON known_events (error_id, received_at) WHERE error_id IS NOT NULL;
CREATE INDEX known_events_by_time ON known_events (noted_at);

-- Bodies that the tracker still had. Rows are appended in the order of import.
CREATE TABLE imported_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  error_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  at INTEGER NOT NULL,
  imported_at INTEGER NOT NULL,
  payload BLOB NOT NULL,
  UNIQUE (project_id, event_id)
) STRICT;
CREATE INDEX imported_events_of_error ON imported_events (error_id, at);

-- Charts of the tracker. hours: width of a bucket, 1 or 24; hour: its start in whole hours since the epoch.
CREATE TABLE imported_buckets (
  error_id INTEGER NOT NULL,
  hours INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (error_id, hours, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_buckets_by_hour ON imported_buckets (hour);

CREATE TABLE error_notes (
  error_id INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  author TEXT NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (error_id, external_id)
) STRICT, WITHOUT ROWID;
`;
