/**
 * Sessions, releases and user reports. An empty environment stands for all of them, an empty release for all releases
 * of the project, which has only hours. Hours are whole hours since the epoch.
 */
export const sessions = `
-- Ids are never used twice: rows of sessions may name a release that is gone.
CREATE TABLE releases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  release TEXT NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  events INTEGER NOT NULL DEFAULT 0,
  sessions INTEGER NOT NULL DEFAULT 0,
  errored INTEGER NOT NULL DEFAULT 0,
  crashed INTEGER NOT NULL DEFAULT 0,
  abnormal INTEGER NOT NULL DEFAULT 0,
  unhandled INTEGER NOT NULL DEFAULT 0,
  users INTEGER NOT NULL DEFAULT 0,
  crashed_users INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project_id, environment, release)
) STRICT;
CREATE INDEX releases_by_first_seen ON releases (project_id, environment, first_seen) WHERE release <> '';

-- By the hour in which the sessions began.
CREATE TABLE release_hours (
  release_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  sessions INTEGER NOT NULL,
  errored INTEGER NOT NULL,
  crashed INTEGER NOT NULL,
  abnormal INTEGER NOT NULL,
  unhandled INTEGER NOT NULL,
  PRIMARY KEY (release_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_hours_by_hour ON release_hours (hour);

CREATE TABLE release_users (
  release_id INTEGER NOT NULL,
  user_hash BLOB NOT NULL,
  crashed INTEGER NOT NULL,
  PRIMARY KEY (release_id, user_hash)
) STRICT, WITHOUT ROWID;

-- What was counted of a session, so that later and repeated updates count once. ended: 0 not, else as endCode says.
CREATE TABLE sessions (
  project_id INTEGER NOT NULL,
  session_id BLOB NOT NULL,
  release_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  errored INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  PRIMARY KEY (project_id, session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_hour ON sessions (hour);

-- By the event they are about, which may not have come yet.
CREATE TABLE event_reports (
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  report_id BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  report TEXT NOT NULL,
  PRIMARY KEY (project_id, event_id, report_id)
) STRICT, WITHOUT ROWID;

-- For the number of errors that are new in a release.
CREATE INDEX errors_by_first_release ON errors (project_id, first_release) WHERE first_release IS NOT NULL;
`;
