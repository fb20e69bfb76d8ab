/** Last part of a legacy interface name, in lower case, and the member it is called today. */
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
 * Gives members named `sentry.interfaces.Exception` or `sentry.interfaces.exception.Exception`, as old
 * clients write them, the names they have today; what is there under today's name stays. In place.
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
