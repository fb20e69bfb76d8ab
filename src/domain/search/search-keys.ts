import { MARKS, type Mark } from '../errors/error-marks.ts';
import { LEVELS } from '../events/event.ts';
import { ERROR_STATUSES } from '../errors/error-status.ts';

/** What values of a key are: `choice`: one of a closed set; `time`: see `parseSeen`; `tag`: the name of a tag. */
export type SearchValueKind = 'choice' | 'text' | 'person' | 'time' | 'tag';

interface KeyEntry {
  readonly kind: SearchValueKind;
  /** One sentence for people. */
  readonly description: string;
  /** Values of a `choice`. */
  readonly values?: readonly string[];
  /** Other names of the key. */
  readonly aliases?: readonly string[];
}

/** Values of `is`, beside those of the status and the marks. */
const ASSIGNMENTS = ['assigned', 'unassigned'] as const;

const TABLE = {
  is: {
    kind: 'choice',
    description: 'Status, mark or assignment',
    values: [...ERROR_STATUSES, ...MARKS, ...ASSIGNMENTS],
    aliases: ['status'],
  },
  level: { kind: 'choice', description: 'Level of the newest event', values: LEVELS },
  environment: { kind: 'text', description: 'Environment that any event had', aliases: ['env'] },
  release: { kind: 'text', description: 'Release that any event had' },
  user: {
    kind: 'text',
    description: 'Affected user: id, e-mail address, user name or IP address',
    aliases: ['user.id', 'user.email', 'user.username', 'user.ip'],
  },
  file: {
    kind: 'text',
    description: 'File of the stack trace, or the end of its path',
    aliases: ['filename', 'stack.filename'],
  },
  function: { kind: 'text', description: 'Function of the stack trace', aliases: ['stack.function'] },
  type: { kind: 'text', description: 'Type of the error, or the end of it: IOException', aliases: ['error.type'] },
  'url.host': {
    kind: 'text',
    description: 'Host of the address of any event, or a domain it is in: site-b.example finds shop.site-b.example',
  },
  'url.path': {
    kind: 'text',
    description: 'Path of the address of any event from its first slash, or one of its last parts: /checkout/pay, pay',
  },
  assigned: {
    kind: 'person',
    description: 'Assignee: me, none or a username',
    aliases: ['assignee', 'assigned_to', 'assigned_or_suggested'],
  },
  'first-seen': {
    kind: 'time',
    description: 'First event: -24h, +7d, >2026-11-20 or 2026-11-01..2026-11-20',
    aliases: ['first_seen', 'firstseen', 'age'],
  },
  'last-seen': {
    kind: 'time',
    description: 'Last event: -24h, +7d, >2026-11-20 or 2026-11-01..2026-11-20',
    aliases: ['last_seen', 'lastseen'],
  },
  tag: { kind: 'tag', description: 'Tag that any event had, with its value: tag:name=value' },
  has: { kind: 'tag', description: 'Tag that any event had, with any value' },
} as const satisfies Readonly<Record<string, KeyEntry>>;

export type SearchKey = keyof typeof TABLE;

export const SEARCH_KEYS = Object.keys(TABLE) as readonly SearchKey[];

/** Returns what is known of a key. */
export function searchKeyEntry(key: SearchKey): KeyEntry {
  return TABLE[key];
}

const BY_NAME: ReadonlyMap<string, SearchKey> = new Map(
  SEARCH_KEYS.flatMap((key) => [key, ...(searchKeyEntry(key).aliases ?? [])].map((name) => [name, key] as const)),
);

/** Names of keys that searches may have, with the other names. */
export const SEARCH_KEY_NAMES: readonly string[] = [...BY_NAME.keys()];

/** Returns the key of a name in any case; undefined for others. */
export function searchKeyOf(name: string): SearchKey | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** Values of `is` and `level` in other trackers. */
const SYNONYMS: Readonly<Record<string, string>> = {
  archived: 'ignored',
  muted: 'ignored',
  'for-review': 'for_review' satisfies Mark,
  warn: 'warning',
};

/** Returns the value of a `choice` that a word means, in any case; undefined for others. */
export function choiceOf(key: SearchKey, word: string): string | undefined {
  const plain = word.toLowerCase();
  const value = Object.hasOwn(SYNONYMS, plain) ? SYNONYMS[plain] : plain;
  return searchKeyEntry(key).values?.find((known) => known === value);
}

/** Maximum of tag names that a project suggests. */
export const MAX_TAG_NAMES = 500;
