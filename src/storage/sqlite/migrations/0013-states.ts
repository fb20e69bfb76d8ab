/**
 * 13: conditions of a status, assignees, notes of people and the activity log. newest_at: greatest time of an own event
 * that decides about reopening; it replaces resolved_there. passed_at: the same of events of a newer release than the
 * one the error was resolved in. muted_events, muted_users: own counts when the status was set. root_details,
 * root_events, root_users: status_details of the root that the error was merged into ('{}' for none), and own counts
 * when they were set or the error was merged. They are beside the counts, so that the digest needs no further statement.
 */
export const states = `
ALTER TABLE errors ADD COLUMN newest_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE errors ADD COLUMN newest_at_release TEXT;
ALTER TABLE errors ADD COLUMN passed_at INTEGER;
ALTER TABLE errors ADD COLUMN passed_release TEXT;
ALTER TABLE errors ADD COLUMN status_details TEXT;
ALTER TABLE errors ADD COLUMN root_details TEXT;
ALTER TABLE errors ADD COLUMN root_events INTEGER;
ALTER TABLE errors ADD COLUMN root_users INTEGER;
ALTER TABLE errors ADD COLUMN muted_until INTEGER;
ALTER TABLE errors ADD COLUMN muted_events INTEGER;
ALTER TABLE errors ADD COLUMN muted_users INTEGER;
ALTER TABLE errors ADD COLUMN assignee_id INTEGER;
ALTER TABLE errors DROP COLUMN resolved_there;
UPDATE errors SET newest_at = min(newest_received, last_seen) WHERE newest_received > 0;
CREATE INDEX errors_muted_until ON errors (muted_until) WHERE muted_until IS NOT NULL;
CREATE INDEX errors_by_assignee ON errors (project_id, assignee_id) WHERE assignee_id IS NOT NULL;
ALTER TABLE error_groups ADD COLUMN status_details TEXT;
ALTER TABLE error_groups ADD COLUMN assignee_id INTEGER;

-- Null: no address.
ALTER TABLE users ADD COLUMN email TEXT;

CREATE TABLE own_notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  error_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX own_notes_of_error ON own_notes (error_id);

-- details: JSON.
CREATE TABLE error_activity (
  id INTEGER PRIMARY KEY,
  error_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  user_id INTEGER,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX error_activity_of_error ON error_activity (error_id);
`;
