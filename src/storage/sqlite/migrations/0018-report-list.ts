/** 18: reports of users by time, for the list of a project. */
export const reportList = `
CREATE INDEX event_reports_by_time ON event_reports (project_id, received_at, event_id);
`;
