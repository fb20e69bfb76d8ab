/** When a client key was last used; null: never. */
export const keyUse = `
ALTER TABLE client_keys ADD COLUMN last_used_at INTEGER;
`;
