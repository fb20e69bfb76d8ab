/** Names of members in answers: `both` adds the names that the host's own clients read. */
export type FieldNames = 'neutral' | 'both';

/** Names of members in the host's API, by errgate's name. */
const HOST_NAMES: Readonly<Record<string, string>> = {
  thirdparty_dsn: 'sentry_dsn',
  thirdparty_external_url: 'sentry_external_url',
  thirdparty_project_id: 'sentry_project_id',
};

/** Returns the members of a body, with `both` also under the host's original names. Nested members are unchanged. */
export function withHostNames<T extends object>(body: T, names: FieldNames): T {
  if (names === 'neutral') return body;
  const added = Object.entries(body).flatMap(([name, value]) => {
    const hostName = HOST_NAMES[name];
    return hostName === undefined ? [] : [[hostName, value] as const];
  });
  return { ...body, ...Object.fromEntries(added) };
}
