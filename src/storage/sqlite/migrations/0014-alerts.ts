/**
 * 14: alerts. users_step of an error: the greatest step of affected users that was reached, of a merged error that of
 * its root; it is beside the counts, so that the digest needs no further statement. Steps of stored errors are passed
 * silently. Ids of errors are public ones, because facts are also those of external trackers.
 */
export const alerts = `
ALTER TABLE errors ADD COLUMN users_step INTEGER NOT NULL DEFAULT 0;
UPDATE errors SET users_step = (SELECT max(s.step) FROM
    (SELECT 100 AS step UNION SELECT 1000 UNION SELECT 10000 UNION SELECT 100000 UNION SELECT 1000000
      UNION SELECT 10000000 UNION SELECT 100000000) s
    WHERE s.step <= max(user_count, coalesce((SELECT user_count FROM error_groups g WHERE g.id = errors.id), 0)))
  WHERE max(user_count, coalesce((SELECT user_count FROM error_groups g WHERE g.id = errors.id), 0)) >= 100;

-- Log of what happened to errors, written by the digest. seq is the place in the log, and never given again. cause:
-- JSON. silence: why no destination was told. added_at: time by the clock of this store.
CREATE TABLE alert_facts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  cause TEXT NOT NULL,
  project_id INTEGER NOT NULL,
  error_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT,
  title TEXT NOT NULL,
  message TEXT,
  culprit TEXT,
  level TEXT,
  release TEXT,
  environment TEXT,
  silence TEXT,
  added_at INTEGER NOT NULL,
  -- Equal ids are of the same error, so one index serves both.
  UNIQUE (project_id, error_id, id)
) STRICT;

CREATE TABLE alert_channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  sealed TEXT NOT NULL,
  enabled INTEGER NOT NULL DEFAULT 1,
  disabled_reason TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_channels_of_project ON alert_channels (project_id, id);

-- Projects with settings of their own. rules: JSON.
CREATE TABLE project_alerts (
  project_id INTEGER PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  rules TEXT NOT NULL,
  last_rule_id INTEGER NOT NULL,
  poll INTEGER NOT NULL
) STRICT;

-- projects, quiet: JSON.
CREATE TABLE alert_preferences (
  user_id INTEGER PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  mail TEXT NOT NULL,
  projects TEXT NOT NULL,
  quiet TEXT,
  zone TEXT NOT NULL,
  heartbeat INTEGER NOT NULL
) STRICT;

-- One per destination; pending: JSON of the message on its way. trouble_to: JSON.
CREATE TABLE alert_conversations (
  destination TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  level INTEGER NOT NULL,
  last_sent_at INTEGER,
  number INTEGER NOT NULL,
  cursor INTEGER NOT NULL,
  first_waiting INTEGER,
  last_waiting INTEGER,
  not_before INTEGER,
  pending TEXT,
  heartbeat_at INTEGER,
  failing_since INTEGER,
  trouble_to TEXT
) STRICT, WITHOUT ROWID;

-- projects, facts, message: JSON. Large, so the lists read the narrow table below first.
CREATE TABLE alert_deliveries (
  id TEXT PRIMARY KEY,
  destination TEXT NOT NULL,
  name TEXT NOT NULL,
  projects TEXT NOT NULL,
  facts TEXT NOT NULL,
  message TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_deliveries_by_time ON alert_deliveries (at);
CREATE INDEX alert_deliveries_failed ON alert_deliveries (state) WHERE state = 'failed';

-- One per project of a delivery. first_fact, last_fact: bounds of the places of its facts; null: it has none.
CREATE TABLE alert_delivery_projects (
  project_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  delivery_id TEXT NOT NULL REFERENCES alert_deliveries ON DELETE CASCADE,
  destination TEXT NOT NULL,
  failed INTEGER NOT NULL,
  first_fact INTEGER,
  last_fact INTEGER,
  PRIMARY KEY (project_id, at, delivery_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX alert_delivery_projects_of_delivery ON alert_delivery_projects (delivery_id, project_id);
CREATE INDEX alert_delivery_projects_by_fact ON alert_delivery_projects (project_id, last_fact)
  WHERE last_fact IS NOT NULL;
CREATE INDEX alert_delivery_projects_failed ON alert_delivery_projects (project_id) WHERE failed = 1;

-- Thresholds of rules that were crossed.
CREATE TABLE alert_arms (
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  rule_id INTEGER NOT NULL,
  error_id TEXT NOT NULL,
  fired INTEGER NOT NULL,
  armed INTEGER NOT NULL,
  below_since INTEGER,
  PRIMARY KEY (project_id, rule_id, error_id)
) STRICT, WITHOUT ROWID;
`;
