import { isRecord } from '../../lib/own-property.ts';
import { filledText, listOf } from '../../thirdparty/map/values.ts';

/** Tags that trackers make of other members, or of the request of the SDK. */
const DERIVED_TAGS: ReadonlySet<string> = new Set([
  'level',
  'environment',
  'release',
  'dist',
  'logger',
  'server_name',
  'transaction',
  'site',
  'url',
  'user',
  'user.id',
  'user.email',
  'user.username',
  'user.ip',
  'mechanism',
  'handled',
  'browser',
  'browser.name',
  'os',
  'os.name',
  'os.build',
  'client_os',
  'client_os.name',
  'device',
  'device.family',
  'runtime',
  'runtime.name',
  'app.device',
  'interface_type',
  'sentry:release',
  'sentry:user',
  'sentry:dist',
]);
/** Members that SDKs send and trackers show as tags only. */
const MEMBERS_IN_TAGS = ['environment', 'release', 'dist', 'logger', 'server_name', 'level', 'transaction'] as const;

/** Tags as pairs, from pairs, `{key, value}` or an object. */
export function tagPairs(value: unknown): [string, string][] {
  const entries = isRecord(value) ? Object.entries(value) : listOf(value);
  return entries.flatMap((entry): [string, string][] => {
    const [key, text] = isRecord(entry) ? [entry.key, entry.value] : listOf(entry);
    const [name, shown] = [filledText(key), filledText(text)];
    return name === null || shown === null ? [] : [[name, shown]];
  });
}

/** Splits the tags of a tracker into those of the SDK and the members that are shown as tags. */
export function membersOfTags(value: unknown): {
  readonly tags: [string, string][];
  readonly members: Record<string, string>;
} {
  const pairs = tagPairs(value);
  const members: Record<string, string> = {};
  for (const name of MEMBERS_IN_TAGS) {
    const pair = pairs.find(([key]) => key === name || key === `sentry:${name}`);
    if (pair !== undefined) members[name] = pair[1];
  }
  return { tags: pairs.filter(([key]) => !DERIVED_TAGS.has(key)), members };
}

/** User without what the tracker added. */
export function sentUser(value: unknown): Record<string, unknown> | undefined {
  if (!isRecord(value)) return undefined;
  const { geo: _geo, sentry_user: _sentryUser, ...user } = value;
  const sent = Object.entries(user).filter(([, member]) => member !== null);
  return sent.length === 0 ? undefined : Object.fromEntries(sent);
}
