/** Current name of a member by the last part of a legacy interface name, in lower case. */
const TODAY = new Map([
  ['message', 'logentry'],
  ['user', 'user'],
  ['http', 'request'],
  ['contexts', 'contexts'],
  ['breadcrumbs', 'breadcrumbs'],
  ['exception', 'exception'],
  ['stacktrace', 'stacktrace'],
  ['threads', 'threads'],
  ['csp', 'csp'],
  ['hpkp', 'hpkp'],
  ['expectct', 'expectct'],
  ['expectstaple', 'expectstaple'],
]);

/**
 * Renames, in place, members such as `sentry.interfaces.Exception` or `sentry.interfaces.exception.Exception` of old
 * clients. A member with the current name stays.
 */
export function renameLegacyMembers(raw: Record<string, unknown>): void {
  for (const name of Object.keys(raw)) {
    if (!name.startsWith('sentry.interfaces.')) {
      continue;
    }
    const today = TODAY.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
    if (today !== undefined) {
      raw[today] ??= raw[name];
    }
  }
}
