/** When an access token was last used, null: never; and what its owner wrote about it. */
export const tokenUse = `
ALTER TABLE access_tokens ADD COLUMN last_used_at INTEGER;
ALTER TABLE access_tokens ADD COLUMN description TEXT;
`;
