import type { Collections } from './collections.ts';
import { MAJORITY } from './operation-options.ts';

/**
 * In order; the index plus one is the schema version a migration leads to. Applied ones never change. A
 * migration may be cut short and started again, also by two processes at once. Collections and indexes
 * are not made here: set-up makes what the collections name and is missing.
 */
export const migrations: readonly ((collections: Collections) => Promise<void>)[] = [
  // 1: the first schema is what the collections say.
  () => Promise.resolve(),
  // 2: people sign in with browsers.
  async ({ users }) => {
    const members = { sessionEpoch: 0, mustChangePassword: false };
    await users.updateMany({ sessionEpoch: { $exists: false } }, { $set: members }, { writeConcern: MAJORITY });
  },
];

/** What this program writes as the schema's version. */
export const SCHEMA_VERSION = migrations.length;
