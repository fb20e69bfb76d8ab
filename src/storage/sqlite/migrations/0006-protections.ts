/** What projects ask for beyond the configuration; a project that asks for nothing has no row. */
export const protections = `
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
