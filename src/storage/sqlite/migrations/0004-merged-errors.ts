/**
 * An error that others were merged into points to itself, which takes it out of the ordinary lists: what is
 * shown instead stands in error_groups under its number, and can be made anew from its members at any time.
 * members: their numbers, ascending, as JSON; member_users: the sum of their user counts.
 */
export const mergedErrors = `
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
