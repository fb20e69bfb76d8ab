import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { isWriteConflict } from './mongo-errors.ts';

/** Methods that change one document or none, so that an aborted write leaves no change. */
const SINGLE_WRITES: ReadonlySet<PropertyKey> = new Set([
  'insertOne',
  'updateOne',
  'replaceOne',
  'deleteOne',
  'findOneAndUpdate',
  'findOneAndDelete',
]);

/** Maximum attempts. After the first pause the winner is done, and the others see its write. */
const ATTEMPTS = 12;
/**
 * Minimum milliseconds before the next attempt, and maximum of the random part. An engine that finds a deadlock after a
 * second aborts all writers but one. An earlier retry would enter the next deadlock.
 */
const PAUSE_MS = 300;
const SPREAD_MS = 300;

type Method = (...args: unknown[]) => unknown;

/**
 * Wraps a collection: repeats writes of one document that the server aborted for another write. mongod repeats them
 * itself; engines on PostgreSQL report a deadlock or a failed serialisation. `pause` waits for the given milliseconds;
 * replaced in tests.
 */
export function retryConflicts<T extends mongo.Document>(
  collection: mongo.Collection<T>,
  pause: (ms: number) => Promise<unknown> = wait,
): mongo.Collection<T> {
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = (value as Method).bind(target);
      return SINGLE_WRITES.has(name) ? (...args: unknown[]) => attempt(() => method(...args), pause) : method;
    },
  });
}

/** Serialises repeated writes: several at once would enter the next deadlock. */
let turn: Promise<unknown> = Promise.resolve();

async function attempt(write: () => unknown, pause: (ms: number) => Promise<unknown>): Promise<unknown> {
  try {
    return await write();
  } catch (error) {
    if (!isWriteConflict(error)) throw error;
  }
  await pause(PAUSE_MS + Math.random() * SPREAD_MS);
  const mine = turn.then(() => again(write, pause));
  turn = mine.catch(() => undefined);
  return mine;
}

async function again(write: () => unknown, pause: (ms: number) => Promise<unknown>): Promise<unknown> {
  for (let count = 2; ; count += 1) {
    try {
      return await write();
    } catch (error) {
      if (count === ATTEMPTS || !isWriteConflict(error)) throw error;
      await pause(PAUSE_MS + Math.random() * SPREAD_MS);
    }
  }
}
