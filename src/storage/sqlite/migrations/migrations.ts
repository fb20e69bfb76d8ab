import { initial } from './0001-initial.ts';
import { sessions } from './0002-sessions.ts';
import { imports } from './0011-imports.ts';
import { states } from './0013-states.ts';
import { alerts } from './0014-alerts.ts';
import { links } from './0015-links.ts';
import { triage } from './0016-triage.ts';
import { releaseErrors } from './0017-release-errors.ts';
import { reportList } from './0018-report-list.ts';
import { unmutedErrors } from './0019-unmuted.ts';
import { rankRule } from './0020-rank-rule.ts';
import { issueAddresses } from './0021-issue-addresses.ts';

/** 3: signed-in browsers. A session is valid only while its epoch is that of its user. */
const webSessions = `
ALTER TABLE users ADD COLUMN session_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN must_change_password INTEGER NOT NULL DEFAULT 0;

CREATE TABLE web_sessions (
  hash BLOB PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  epoch INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX web_sessions_of_user ON web_sessions (user_id, used_at);
CREATE INDEX web_sessions_by_end ON web_sessions (ends_at);
`;

/**
 * 4: a merge root points to itself, which removes it from the ordinary lists. Its displayed row is in error_groups
 * under its number, and can be recomputed from its members at any time. members: their numbers, ascending, as JSON;
 * member_users: the sum of their user counts.
 */
const mergedErrors = `
CREATE INDEX errors_merged ON errors (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE error_groups (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  status INTEGER NOT NULL,
  count INTEGER NOT NULL,
  user_count INTEGER NOT NULL,
  member_users INTEGER NOT NULL,
  members TEXT NOT NULL,
  first_seen INTEGER NOT NULL,
  first_release TEXT,
  last_seen INTEGER NOT NULL,
  last_release TEXT,
  level TEXT NOT NULL,
  platform TEXT NOT NULL,
  type TEXT,
  title TEXT NOT NULL,
  culprit TEXT,
  message TEXT,
  search_text TEXT NOT NULL
) STRICT;
CREATE INDEX error_groups_by_last_seen ON error_groups (project_id, status, last_seen);
CREATE INDEX error_groups_by_first_seen ON error_groups (project_id, status, first_seen);
CREATE INDEX error_groups_by_count ON error_groups (project_id, status, count);
CREATE INDEX error_groups_by_first_release ON error_groups (project_id, first_release);
CREATE INDEX error_groups_by_users ON error_groups (project_id, status, user_count);
`;

/** 5: time of a client key's last use; null: never. */
const keyUse = `
ALTER TABLE client_keys ADD COLUMN last_used_at INTEGER;
`;

/** 6: protection settings of projects beyond the configuration; a project without any has no row. */
const protections = `
CREATE TABLE protections (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  -- A JSON list of names.
  sensitive_fields TEXT NOT NULL,
  scrub_ips INTEGER NOT NULL,
  -- Null: as configured.
  key_events_per_minute INTEGER,
  project_events_per_minute INTEGER
) STRICT;
`;

/** 7: time of an access token's last use, null: never; and its description by its owner. */
const tokenUse = `
ALTER TABLE access_tokens ADD COLUMN last_used_at INTEGER;
ALTER TABLE access_tokens ADD COLUMN description TEXT;
`;

/** 8: kind and version of a project's external tracker, as JSON; null: unknown. */
const trackerKind = `
ALTER TABLE settings ADD COLUMN tracker TEXT;
`;

/**
 * 9: blocks of event bodies. An event names the block that has its body, and its payload is empty then; null: the
 * payload is its body. The events of a block lie between its first and last id. events: number of bodies.
 */
const eventBlocks = `
CREATE TABLE event_blocks (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  events INTEGER NOT NULL,
  bodies BLOB NOT NULL
) STRICT;
ALTER TABLE events ADD COLUMN block_id INTEGER;
`;

/**
 * 10: forwarding of projects to other trackers. forwards: the target; sealed_dsn is encrypted. forward_states: what the
 * spool of each data dir last reported, as JSON; pending_until and sent_at tell whether a target may still count.
 */
const forwards = `
CREATE TABLE forwards (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  sealed_dsn TEXT NOT NULL,
  target TEXT NOT NULL,
  until INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE forward_states (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  spool_id TEXT NOT NULL,
  pending_until INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, spool_id)
) STRICT, WITHOUT ROWID;
`;

/** 12: aliases are texts that are unique within their project only. */
const aliasTexts = `
CREATE TABLE alias_texts (
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  alias TEXT NOT NULL,
  PRIMARY KEY (project_id, alias)
) STRICT, WITHOUT ROWID;
INSERT INTO alias_texts SELECT project_id, alias_id FROM project_aliases;
DROP TABLE project_aliases;
ALTER TABLE alias_texts RENAME TO project_aliases;
`;

/** Migrations in order; the index plus one is the resulting schema version. Applied ones never change. */
export const migrations: readonly string[] = [
  initial,
  sessions,
  webSessions,
  mergedErrors,
  keyUse,
  protections,
  tokenUse,
  trackerKind,
  eventBlocks,
  forwards,
  imports,
  aliasTexts,
  states,
  alerts,
  links,
  triage,
  releaseErrors,
  reportList,
  unmutedErrors,
  rankRule,
  issueAddresses,
];

/** Schema version written into `user_version`. */
export const SCHEMA_VERSION = migrations.length;
