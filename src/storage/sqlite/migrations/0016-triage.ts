/** Columns of an error, and of the displayed row of a merged one. */
const COLUMNS = [
  // The newest regression, and the newest cause of escalation as JSON; null: none, or the status was set since.
  'regressed_at INTEGER',
  'regressed_release TEXT',
  'escalated_at INTEGER',
  'escalated_cause TEXT',
  // Time of the newest fact that asks for a review; null: none, or a member has looked since.
  'review_at INTEGER',
  // Whether the first stored event was not handled; null: it does not say.
  'unhandled INTEGER',
  // Order `matters`, and events in each range, as of the last run of the job; null: not ranked yet.
  'matters INTEGER',
  'events_1h INTEGER',
  'events_24h INTEGER',
  'events_7d INTEGER',
  'events_14d INTEGER',
  'events_30d INTEGER',
  // Time at which they change without an event; null: never.
  'rank_due INTEGER',
];

const RANKS = ['matters', 'events_1h', 'events_24h', 'events_7d', 'events_14d', 'events_30d'];

const columnsOf = (table: string): string =>
  COLUMNS.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column};`).join('\n');

/** Indexes of ranks have ranked rows only, so that a new error costs nothing. */
const ranksOf = (table: string, condition: string): string =>
  RANKS.map(
    (rank) => `CREATE INDEX ${table}_by_${rank} ON ${table} (project_id, status, ${rank})
      WHERE ${condition}${rank} IS NOT NULL;`,
  ).join('\n');

/**
 * 16: marks, ranks, terms of searches, and deleted errors. Marks and ranks are beside the counts, because lists read
 * both. Nothing asks for a review that happened before.
 */
export const triage = `
${columnsOf('errors')}
${columnsOf('error_groups')}
${ranksOf('errors', 'merged_into IS NULL AND ')}
${ranksOf('error_groups', '')}
CREATE INDEX errors_for_review ON errors (project_id, review_at)
  WHERE review_at IS NOT NULL AND status = 0 AND merged_into IS NULL;
CREATE INDEX errors_regressed ON errors (project_id) WHERE regressed_at IS NOT NULL;
CREATE INDEX errors_escalated ON errors (project_id, escalated_at) WHERE escalated_at IS NOT NULL;
CREATE INDEX errors_rank_due ON errors (rank_due) WHERE rank_due IS NOT NULL;
CREATE INDEX error_groups_rank_due ON error_groups (rank_due) WHERE rank_due IS NOT NULL;

-- Leads from a user to the errors: to ask each error for a user takes 15 ms with 10,000 of them.
CREATE INDEX error_users_by_user ON error_users (user_hash);

-- Errors, or roots of merged ones, whose ranks are out of date. terms: 1 when terms of the newest stored event are to
-- be written as well, because the error is older than they are.
CREATE TABLE rank_queue (error_id INTEGER PRIMARY KEY, terms INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO rank_queue SELECT id, 1 FROM errors;

-- Paths and functions of frames, each between line breaks, as src/storage/search/search-terms.ts makes them.
CREATE TABLE error_terms (
  error_id INTEGER PRIMARY KEY,
  files TEXT NOT NULL,
  functions TEXT NOT NULL
) STRICT;

-- Hashes of names that lead to an affected user. day: UTC day on which an event last had the name, or up to a week
-- before.
CREATE TABLE user_names (
  project_id INTEGER NOT NULL,
  name_hash BLOB NOT NULL,
  user_hash BLOB NOT NULL,
  day INTEGER NOT NULL,
  PRIMARY KEY (project_id, name_hash, user_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_names_by_day ON user_names (day);

-- Deleted errors whose events are dropped, and the group hashes of each.
CREATE TABLE discarded_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  title TEXT NOT NULL,
  type TEXT,
  at INTEGER NOT NULL,
  user_id INTEGER
) STRICT;
CREATE INDEX discarded_groups_of_project ON discarded_groups (project_id);
CREATE TABLE discarded_hashes (
  group_hash BLOB PRIMARY KEY,
  discarded_id INTEGER NOT NULL REFERENCES discarded_groups ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX discarded_hashes_of_group ON discarded_hashes (discarded_id);

-- Deleted errors whose events and other rows are still being removed.
CREATE TABLE removed_errors (id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL) STRICT;
`;
