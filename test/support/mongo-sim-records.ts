import { mongo } from 'mongoose';
import type { DigestedBatch, DigestedEvent } from '../../src/domain/digest.ts';
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
}

const VARIANTS = 8;

export const eventIdOf = (id: number): string => hexId(`event ${id}`);
const groupHashName = (id: number, variant: number): string => `group hash ${(id * 7 + variant * 3) % 3}`;
export const groupHashHex = (name: string): string => hexId(name);

export interface SimEvent {
  readonly id: number;
  readonly eventId: string;
  readonly groupHash: string;
  readonly userHash: string | null;
  readonly at: number;
  readonly receivedAt: number;
}

/** Attributes of a record's event, except those that an upgrade may change. */
export function attributesOf({ id, variant }: SimRecord): SimEvent {
  const user = (id * 5 + variant) % 4;
  return {
    id,
    eventId: eventIdOf(id),
    groupHash: groupHashHex(groupHashName(id, variant)),
    userHash: user === 0 ? null : hexId(`user ${user}`, 24),
    at: NOON + ((id * 31) % 5) * 7 * HOUR + id * VARIANTS + variant,
    receivedAt: NOON + ((id * 13 + variant) % 7) * 1000,
  };
}

/** Derives the variant of a stored event from its time. */
export function variantOf(id: number, at: number): number {
  return at - NOON - ((id * 31) % 5) * 7 * HOUR - id * VARIANTS;
}

/** Digests a record. `version`: program version; other versions group events and name environments differently. */
export function digestSim(record: SimRecord, version: number): DigestedEvent {
  const { id, variant } = record;
  const other = attributesOf({ id, variant: (variant + version) % VARIANTS });
  const environment = `env ${id % 2} of ${version}`;
  return {
    ...(version === 0 ? attributesOf(record) : { ...other, eventId: eventIdOf(id) }),
    projectId: PROJECT,
    keyId: 1,
    groupingVersion: 1,
    type: null,
    message: (version === 0 ? attributesOf(record) : other).groupHash,
    title: 'bad',
    culprit: null,
    level: 'error',
    platform: 'node',
    release: `r${id}`,
    environment,
    tags: [
      ['level', 'error'],
      ['environment', environment],
    ],
    payload: new Uint8Array(1),
  };
}

export function digestBatch(records: readonly SimRecord[], version: number): DigestedBatch {
  const outcomes = records.map(() => ({
    projectId: PROJECT,
    keyId: 1,
    category: 'session',
    outcome: 'client_discard' as const,
    reason: 'sample_rate',
    at: NOON,
    quantity: 1,
  }));
  return {
    events: records.map((record) => digestSim(record, version)),
    outcomes,
    sessions: records.map((record) => digestSimSession(record, version)),
    reports: records.map(digestSimReport),
  };
}

export const binaryHex = (value: unknown): string => (value instanceof mongo.Binary ? value.toString('hex') : '');
