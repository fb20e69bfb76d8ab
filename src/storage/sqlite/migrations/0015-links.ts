/**
 * 15: links of a project (source repository, issue tracker, its sealed token), issues of the host that belong to errors,
 * and what a person sets for a project: saved views and favourites.
 */
export const links = `
-- repository, issue_tracker: JSON.
CREATE TABLE project_links (
  project_id INTEGER PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  repository TEXT,
  issue_tracker TEXT,
  sealed_token TEXT
) STRICT;

-- user_id: null after an import, where the person is no member here.
CREATE TABLE linked_issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  error_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  at INTEGER NOT NULL,
  user_id INTEGER,
  UNIQUE (error_id, url)
) STRICT;

-- query: of the list's address.
CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  UNIQUE (project_id, user_id, name)
) STRICT;

CREATE TABLE favourites (
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  PRIMARY KEY (user_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX favourites_of_project ON favourites (project_id);
`;
