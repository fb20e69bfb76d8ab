import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';

/**
 * Key of a document. Every `_id` of documents that batches write begins with the project's four bytes, and `p` has the
 * project too. Then `{p: 1, _id: 1}` can be the shard key, and every filter can name both. Field names are short because
 * each document has them; times are milliseconds since the epoch.
 */
export type Binary = mongo.Binary;

export function eventKey(projectId: number, eventId: string): Binary {
  return key(projectId, eventId, 16);
}

export function errorKey(projectId: number, groupHash: string): Binary {
  return key(projectId, groupHash, 16);
}

export function errorUserKey(projectId: number, groupHash: string, userHash: string): Binary {
  return key(projectId, groupHash + userHash, 28);
}

/** Returns the key of a user's name; both hashes as 24 hex digits. */
export function userNameKey(projectId: number, nameHash: string, userHash: string): Binary {
  return key(projectId, nameHash + userHash, 24);
}

/** Returns the key of an error's hours. `day`: whole days since the epoch. */
export function errorHoursKey(projectId: number, groupHash: string, day: number): Binary {
  return key(projectId, groupHash + uint32Hex(day), 20);
}

/** Returns the key of a note. `number`: unique among notes. */
export function ownNoteKey(projectId: number, groupHash: string, number: number): Binary {
  return key(projectId, groupHash + uint32Hex(number), 20);
}

/** Returns the key of an outcome row. `rest`: all values of the row beside project and hour. */
export function outcomeKey(projectId: number, hour: number, rest: string): Binary {
  const hash = createHash('sha256').update(rest).digest('hex').slice(0, 24);
  return key(projectId, uint32Hex(hour) + hash, 16);
}

/** Returns bounds of the outcome keys of a project from the hour `since` (inclusive) to `until` (exclusive). */
export function outcomeRange(projectId: number, since: number, until: number): { $gte: Binary; $lt: Binary } {
  return { $gte: bound(projectId, since), $lt: bound(projectId, until) };
}

function bound(projectId: number, hour: number): Binary {
  const clamped = Math.min(Math.max(hour, 0), 0xffff_ffff);
  return key(projectId, uint32Hex(clamped) + '0'.repeat(24), 16);
}

/** Returns the project in an `_id` that begins with it. */
export function projectIdOf(id: Binary): number {
  return Number.parseInt(id.toString('hex').slice(0, 8), 16);
}

/** Returns the group hash's hex digits in an `_id` that begins with project and group hash. */
export function groupHashOf(id: Binary): string {
  return id.toString('hex').slice(8, 40);
}

/** Returns the event id's hex digits in an event's `_id`. */
export function eventIdOf(id: Binary): string {
  return id.toString('hex').slice(8);
}

export function hexBinary(hex: string): Binary {
  return new mongo.Binary(Buffer.from(hex, 'hex'));
}

export function uint32Hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

/** Builds a key. `hex` must have exactly `bytes` bytes: a short key would sort and compare wrongly. */
export function key(projectId: number, hex: string, bytes: number): Binary {
  const buffer = Buffer.allocUnsafe(4 + bytes);
  buffer.writeUInt32BE(projectId, 0);
  if (buffer.write(hex, 4, 'hex') !== bytes) {
    throw new Error(`a key needs ${bytes} bytes as hex digits`);
  }
  return new mongo.Binary(buffer);
}
