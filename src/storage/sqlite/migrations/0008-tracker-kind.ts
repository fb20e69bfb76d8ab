/** What the external tracker of a project was found to be, as JSON; null: not looked at. */
export const trackerKind = `
ALTER TABLE settings ADD COLUMN tracker TEXT;
`;
