/** 17: errors of a release, and those that are resolved in one. Few entries change with an event: each pair is new once. */
export const releaseErrors = `
CREATE INDEX error_tags_of_release ON error_tags (value, error_id) WHERE key = 'release';
CREATE INDEX errors_by_details ON errors (project_id, status, status_details) WHERE status_details IS NOT NULL;
`;
