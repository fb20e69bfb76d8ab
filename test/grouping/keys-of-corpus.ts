import type { Grouper } from '../../src/integrated/digest/digest-deps.ts';
import { scrubbersFor } from '../../src/integrated/digest/scrub/scrubbers-for.ts';
import type { JournalRecord } from '../../src/integrated/intake/journal-record.ts';
import { CAPTURE_NAMES, captureRecord, digester, record } from '../unit/integrated/digest/digest-support.ts';
import { HELD_BACK } from './held-back/all.ts';
import type { RawEvent } from './pair.ts';
import { SECOND_HELD_BACK } from './second-blind/held-back/all.ts';
import { SECOND_TUNED } from './second-blind/tuned/all.ts';
import { TUNED } from './tuned/all.ts';
import { VERSION_2 } from './version-2/all.ts';

const PARTS = { tuned: TUNED, heldBack: HELD_BACK, secondTuned: SECOND_TUNED, secondHeldBack: SECOND_HELD_BACK };
/** Pairs made for the rules of version 2, beside the corpus of version 1. */
const LATER_PARTS = { version2: VERSION_2 };

/** What scrubbing removed before the key was made when version 1 was frozen, and what it left in. */
const WITH_SECRETS: Readonly<Record<string, RawEvent>> = {
  'message with a card': { message: 'card 4111 1111 1111 1111 refused' },
  'message with a bearer token': { message: 'header Authorization: Bearer abc.DEF-123 refused' },
  'template with a bearer token': { logentry: { message: 'sent Bearer abc.def to {}', params: ['x'] } },
  'message with an address': { message: 'no route to 10.1.2.3 from 2001:db8::1' },
  'message with credentials': { message: 'cannot open postgres://app:s3cr3t@db/x?password=y' },
  'value with all': {
    exception: { type: 'E', value: 'Bearer abc.def, 4111 1111 1111 1111, redis://:pw@cache/0 at 10.1.2.3' },
  },
  'source line with all': {
    platform: 'python',
    exception: {
      type: 'E',
      value: 'x',
      stacktrace: {
        frames: [{ function: 'f', filename: 'a.py', context_line: "  connect('postgres://u:p@h/x', password='pw')" }],
      },
    },
  },
  'fingerprint of a secret tag': { fingerprint: ['{{ tags.auth_mode }}'], tags: { auth_mode: 'sso' } },
  'fingerprint of a tag with a card': { fingerprint: ['{{ tags.card }}'], tags: { card: '4111111111111111' } },
  'fingerprint of a tag with credentials': {
    fingerprint: ['{{ tags.db }}', '{{default}}'],
    tags: { db: 'postgres://u:p@ss@db/x' },
  },
  'fingerprint of the address': {
    fingerprint: ['{{ tags.url }}'],
    request: { url: 'https://u:p@host.example/a/4111111111111111#token=x' },
  },
  'fingerprint of value and message': {
    fingerprint: ['{{ error.value }}', '{{ message }}', '{{ transaction }}'],
    message: 'Bearer abc.def',
    transaction: '/reset?token=abc',
    exception: { type: 'E', value: 'Bearer abc.def from 10.1.2.3' },
  },
  'fingerprint that is a secret': { fingerprint: ['postgres://u:p@h/x', 'Bearer abc.def'] },
};

const SCRUBBING = { enabled: true, sensitiveFields: [], safeFields: [], projects: {} };

/** The key that the whole digest gives to a record: normalised, scrubbed as configured, grouped. */
function digestedKey(group: Grouper, source: JournalRecord, scrubIps: boolean): ReturnType<Grouper> {
  let found: ReturnType<Grouper> = { version: 0, key: 'none' };
  digester({
    group: (event) => (found = group(event)),
    scrubberFor: scrubbersFor({ ...SCRUBBING, scrubIps }, () => undefined),
  })(source);
  return found;
}

/**
 * Keys of all events of the corpus, of the captures and of events with secrets, by a name of their own. `later`: also
 * of the pairs that were made for later versions.
 */
export function keysOfCorpus<Key>(
  group: Grouper,
  shown: (key: ReturnType<Grouper>) => Key,
  later = false,
): Record<string, Key> {
  const keyOf = (source: JournalRecord, scrubIps: boolean) => shown(digestedKey(group, source, scrubIps));
  const keys: Record<string, Key> = {};
  for (const [part, platforms] of Object.entries({ ...PARTS, ...(later ? LATER_PARTS : {}) })) {
    for (const [platform, pairs] of Object.entries(platforms)) {
      for (const { name, first, second } of pairs) {
        keys[`${part}/${platform}/${name}/1`] = keyOf(record(JSON.stringify(first)), false);
        keys[`${part}/${platform}/${name}/2`] = keyOf(record(JSON.stringify(second)), false);
      }
    }
  }
  for (const name of CAPTURE_NAMES) {
    const source = captureRecord(name);
    if (source !== null) {
      keys[`captures/${name}`] = keyOf(source, false);
    }
  }
  for (const [name, event] of Object.entries(WITH_SECRETS)) {
    keys[`secrets/${name}`] = keyOf(record(JSON.stringify(event)), false);
    keys[`secrets/${name}, addresses removed`] = keyOf(record(JSON.stringify(event)), true);
  }
  return keys;
}
