/** 21: linked issues are found by their address. */
export const issueAddresses = `
CREATE INDEX linked_issues_by_url ON linked_issues (url);
`;
