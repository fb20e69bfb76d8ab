import type { GroupHash } from '../../domain/ingest/digest.ts';
import type { ImportedEvent, NewAlias } from '../../domain/imports/import.ts';
import type { NormalisedEvent } from '../../domain/events/event.ts';
import type { DigestRecord } from '../../integrated/digest/digested-record.ts';
import type { UnpackedEvent } from '../../integrated/digest/packed-events.ts';
import { culpritOf } from '../../integrated/digest/culprit.ts';
import { encodeText } from '../../lib/bodies/payload-codec.ts';
import type { EventFacts } from './event-ends.ts';
import type { RemoteEvent } from '../tracker-reader.ts';
import { isWeakKey } from './weak-key.ts';
import { similarityKey } from './likeness.ts';

/** Event of an issue in the form of the store, with the group hashes that lead to its error. */
export interface ReadEvent {
  readonly event: ImportedEvent;
  readonly aliases: readonly NewAlias[];
  /** Feature by which errors resemble each other; null without a stack. */
  readonly likeness: string | null;
  readonly facts: EventFacts;
}

/**
 * Digests an event of a tracker as a live one. The hashes are those of the event and of its further forms, each with
 * those of former grouping versions, which find errors that are stored already. Null: the body is not an event that errgate stores.
 */
export function readRemoteEvent(digest: DigestRecord, projectId: number, remote: RemoteEvent): ReadEvent | null {
  const [main, ...others] = [remote.body, ...remote.variants].map((body) =>
    digestBody(digest, projectId, remote, body),
  );
  if (main === undefined || main === null) return null;
  const event = parsed(main);
  const facts = factsOf(event, remote.at);
  if (remote.isShownOnly === true) return { event: eventOf(main), aliases: [], likeness: null, facts };
  const aliases = new Map<string, NewAlias>();
  for (const form of [main, ...others]) {
    if (form === null) continue;
    const weak = isWeakKey(parsed(form), remote.scrubbed);
    const add = ({ groupHash, groupingVersion }: GroupHash, isFormer: boolean) => {
      const known = aliases.get(groupHash);
      if (known !== undefined && (!known.weak || weak) && (known.isFormer !== true || isFormer)) return;
      const base = { groupHash, groupingVersion, origin: 'group_key', weak } as const;
      aliases.set(groupHash, isFormer ? { ...base, isFormer } : base);
    };
    add(form, false);
    form.formerGroupHashes?.forEach((former) => add(former, true));
  }
  return {
    event: eventOf(main),
    aliases: [...aliases.values()],
    likeness: similarityKey(event),
    facts,
  };
}

/** Group hash of the body of an event, without its further forms; null: errgate does not store it. */
export const groupKeyOf = (digest: DigestRecord, projectId: number, remote: RemoteEvent): string | null =>
  digestBody(digest, projectId, remote, remote.body)?.groupHash ?? null;

const eventOf = ({ eventId, at, payload }: UnpackedEvent): ImportedEvent => ({
  eventId,
  at,
  payload: encodeText(payload),
});

const factsOf = (event: NormalisedEvent, at: number): EventFacts => ({
  at,
  culprit: culpritOf(event),
  level: event.level,
  platform: event.platform,
  release: event.release,
});

const parsed = (form: UnpackedEvent): NormalisedEvent => JSON.parse(form.payload) as NormalisedEvent;

function digestBody(
  digest: DigestRecord,
  projectId: number,
  { eventId, at }: RemoteEvent,
  body: Readonly<Record<string, unknown>>,
): UnpackedEvent | null {
  try {
    return digest({
      projectId,
      // Only outcomes name a key, and they are not used here.
      keyId: 0,
      // Not the time of the import: the age of an event must not change its time.
      receivedAt: at,
      eventId,
      sentAt: null,
      clientIp: null,
      client: null,
      outcomes: [],
      body: Buffer.from(JSON.stringify({ ...body, event_id: eventId })),
    }).event;
  } catch {
    // A live record like this goes to quarantine; here the event is left out.
    return null;
  }
}
