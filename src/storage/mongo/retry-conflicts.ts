import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { isWriteConflict } from './mongo-errors.ts';

/** Each changes one document or none, so that a write that was given up has left nothing behind. */
const SINGLE_WRITES: ReadonlySet<PropertyKey> = new Set([
  'insertOne',
  'updateOne',
  'replaceOne',
  'deleteOne',
  'findOneAndUpdate',
  'findOneAndDelete',
]);

/** Attempts in all: after the pause of the first the winner is done, and the others meet what it wrote. */
const ATTEMPTS = 12;
/**
 * Milliseconds before the next attempt: at least, and what chance adds at most. An engine that finds a deadlock after
 * a second gives up all writers but one: one that comes back sooner is in the next deadlock.
 */
const PAUSE_MS = 300;
const SPREAD_MS = 300;

type Method = (...args: unknown[]) => unknown;

/**
 * The same collection, whose writes of one document are sent again when the server gave them up because of
 * another write. mongod does so by itself; engines on PostgreSQL report a deadlock or a failed serialisation.
 * `pause` waits for so many milliseconds; replaced in tests.
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

/** Repeated writes go one after the other: several at once would meet in the next deadlock. */
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
