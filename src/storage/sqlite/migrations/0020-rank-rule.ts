/** 20: the order of what matters has another rule. All errors are ranked again, by the job. */
export const rankRule = `
INSERT OR IGNORE INTO rank_queue (error_id) SELECT id FROM errors;
`;
