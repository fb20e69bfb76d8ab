/**
 * 19: the mark of errors whose condition for being ignored came true, with its cause as JSON; and regressions by time,
 * because their marks end.
 */
export const unmutedErrors = `
ALTER TABLE errors ADD COLUMN unmuted_at INTEGER;
ALTER TABLE errors ADD COLUMN unmuted_cause TEXT;
ALTER TABLE error_groups ADD COLUMN unmuted_at INTEGER;
ALTER TABLE error_groups ADD COLUMN unmuted_cause TEXT;
DROP INDEX errors_regressed;
CREATE INDEX errors_regressed ON errors (project_id, regressed_at) WHERE regressed_at IS NOT NULL;
`;
