import { mongo } from 'mongoose';
import type { DigestedBatch, DigestedEvent, EventBlock } from '../../src/domain/ingest/digest.ts';
import { encodeBlock } from '../../src/lib/bodies/body-block.ts';
import { encodeText } from '../../src/lib/bodies/payload-codec.ts';
import { digestSimReport, digestSimSession } from './mongo-sim-sessions.ts';
import { PROJECT } from './mongo-sim-sessions.ts';
import { hexId, NOON, HOUR } from './store-data.ts';

export { PROJECT };

/** Journal record of the model check. Both numbers determine its event. */
export interface SimRecord {
  /** Number that determines the event id. */
  readonly id: number;
  /** Content of the event; several contents may have the same id. The stored one is derived from `at`. */
  readonly variant: number;
  /** True: contents with odd numbers are mapped to original places. An upgrade may map what was not, and reversed. */
  readonly mayMap?: true;
}

const VARIANTS = 8;

export const eventIdOf = (id: number): string => hexId(`event ${id}`);
const groupNumber = (id: number, variant: number): number => (id * 7 + variant * 3) % 3;
export const groupHashHex = (name: string): string => hexId(name);

export interface SimEvent {
  readonly id: number;
  readonly eventId: string;
  readonly groupHash: string;
  /** Group hash of a mapped event as it was sent; null: it is not mapped. */
  readonly sent: string | null;
  readonly userHash: string | null;
  readonly at: number;
  readonly receivedAt: number;
}

/** Attributes of a record's event, except those that an upgrade may change. */
export function attributesOf({ id, variant, mayMap }: SimRecord): SimEvent {
  const user = (id * 5 + variant) % 4;
  const group = groupNumber(id, variant);
  const sent = groupHashHex(`group hash ${group}`);
  const isMapped = mayMap === true && variant % 2 === 1;
  return {
    id,
    eventId: eventIdOf(id),
    groupHash: isMapped ? groupHashHex(`original ${(group + (variant >> 1)) % 2}`) : sent,
    sent: isMapped ? sent : null,
    userHash: user === 0 ? null : hexId(`user ${user}`, 24),
    at: NOON + ((id * 31) % 5) * 7 * HOUR + id * VARIANTS + variant,
    receivedAt: NOON + ((id * 13 + variant) % 7) * 1000,
  };
}

/** Release of an event: those with greater numbers are newer. */
export const releaseOf = (id: number): string => `1.${id}`;

/** Derives the variant of a stored event from its time. */
export function variantOf(id: number, at: number): number {
  return at - NOON - ((id * 31) % 5) * 7 * HOUR - id * VARIANTS;
}

/** Digests a record. `version`: program version; other versions group events and name environments differently. */
export function digestSim(record: SimRecord, version: number): DigestedEvent {
  const { id, variant } = record;
  const { sent, ...attributes } = attributesOf({
    ...record,
    variant: version === 0 ? variant : (variant + version) % VARIANTS,
  });
  const environment = `env ${id % 2} of ${version}`;
  return {
    ...attributes,
    ...(sent === null ? {} : { sentGroupHashes: [{ groupHash: sent, groupingVersion: 1 }] }),
    projectId: PROJECT,
    keyId: 1,
    groupingVersion: 1,
    type: null,
    message: attributes.groupHash,
    title: 'bad',
    culprit: null,
    level: 'error',
    platform: 'node',
    release: releaseOf(id),
    environment,
    tags: [
      ['level', 'error'],
      ['environment', environment],
    ],
    payload: new Uint8Array(1),
  };
}

/** Body of an event. Every content and program version of an event has another one. */
export interface SimBody {
  readonly event_id: string;
  readonly at: number;
  readonly version: number;
}

const encodedBodies = new Map<string, Uint8Array>();

/** Maximum bodies of a simulated block. */
const BLOCK_BODIES = 5;

/** Gives each event its body: in blocks with others, or by itself where its number says so. */
function withBodies(events: readonly DigestedEvent[], version: number): Pick<DigestedBatch, 'events' | 'blocks'> {
  const blocks: EventBlock[] = [];
  const bodyOf = ({ eventId, at }: DigestedEvent) => {
    return { eventId, json: JSON.stringify({ event_id: eventId, at, version } satisfies SimBody) };
  };
  const together = events.filter(({ at }) => at % 5 > 1);
  for (let from = 0; from < together.length; from += BLOCK_BODIES) {
    const bodies = together.slice(from, from + BLOCK_BODIES).map(bodyOf);
    const eventIds = bodies.map(({ eventId }) => eventId);
    blocks.push({ projectId: PROJECT, eventIds, bodies: encoded(JSON.stringify(bodies), () => encodeBlock(bodies)) });
  }
  const packed = events.map((event) => {
    const at = together.indexOf(event);
    const { json } = bodyOf(event);
    return { ...event, payload: at < 0 ? encoded(json, () => encodeText(json)) : Math.floor(at / BLOCK_BODIES) };
  });
  return { events: packed, blocks };
}

/** Encodes each text once, because many runs have the same. */
function encoded(text: string, encode: () => Uint8Array): Uint8Array {
  const bytes = encodedBodies.get(text) ?? encode();
  encodedBodies.set(text, bytes);
  return bytes;
}

/** `blocks`: whether the events have bodies, most of them in blocks. */
export function digestBatch(records: readonly SimRecord[], version: number, blocks: boolean): DigestedBatch {
  const outcomes = records.map(() => ({
    projectId: PROJECT,
    keyId: 1,
    category: 'session',
    outcome: 'client_discard' as const,
    reason: 'sample_rate',
    at: NOON,
    quantity: 1,
  }));
  const events = records.map((record) => digestSim(record, version));
  return {
    ...(blocks ? withBodies(events, version) : { events }),
    outcomes,
    sessions: records.map((record) => digestSimSession(record, version)),
    reports: records.map(digestSimReport),
  };
}

export const binaryHex = (value: unknown): string => (value instanceof mongo.Binary ? value.toString('hex') : '');
