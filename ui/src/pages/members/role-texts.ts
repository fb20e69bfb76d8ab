/** What each role may do in a project, by access level; each may do what those before it may. */
export const ROLE_TEXTS: Readonly<Record<number, string>> = {
  10: 'Sees the project and its members.',
  20: 'Reads errors, events and releases.',
  30: 'Resolves, ignores, assigns and merges errors, and writes notes.',
  40: 'Changes settings, client keys, alerts and members.',
  50: 'Deletes the project.',
};
