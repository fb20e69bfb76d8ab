/** Browsers that people are signed in with. A session counts only while its epoch is that of its person. */
export const webSessions = `
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
