import { FIRST_USERS_STEP } from '../../../domain/alerts/alert-fact.ts';
import { addUserHashes, putTagTerms } from './add-search-members.ts';
import type { Collections } from '../engine/collections.ts';
import { MAJORITY } from '../engine/operation-options.ts';

/** More users than any error has. */
const GREATEST_STEP = 1_000_000_000;

/**
 * Migrations in order; the index plus one is the resulting schema version. Applied ones never change. A migration may
 * be interrupted and restarted, also by two processes at once. It creates no collections and indexes: set-up creates
 * missing ones.
 */
export const migrations: readonly ((collections: Collections) => Promise<void>)[] = [
  // 1: the first schema is that of the collections.
  () => Promise.resolve(),
  // 2: users sign in with browsers.
  async ({ users }) => {
    const members = { sessionEpoch: 0, mustChangePassword: false };
    await users.updateMany({ sessionEpoch: { $exists: false } }, { $set: members }, { writeConcern: MAJORITY });
  },
  // 3: blocks of event bodies. Earlier versions cannot read events that refer to one; earlier events stay as they are.
  () => Promise.resolve(),
  // 4: aliases are texts that are unique within their project only.
  async ({ formerAliases, projectAliases }) => {
    const writes = [];
    for await (const { _id, projectId } of formerAliases.find({})) {
      const alias = String(_id);
      const replacement = { _id: `${projectId}/${alias}`, projectId, alias };
      writes.push({ replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } });
    }
    if (writes.length > 0) await projectAliases.bulkWrite(writes, { ordered: false, writeConcern: MAJORITY });
  },
  // 5: imports. Earlier versions know no aliases of imported errors, and add their users to the shown ones.
  () => Promise.resolve(),
  // 6: alerts. Steps of affected users that stored errors have passed make no facts.
  async ({ errors }) => {
    for (let step = GREATEST_STEP; step >= FIRST_USERS_STEP; step /= 10) {
      const passed = { un: { $exists: false }, $or: [{ u: { $gte: step } }, { 'g.u': { $gte: step } }] };
      await errors.updateMany(passed, { $set: { un: step * 10 } }, { writeConcern: MAJORITY });
    }
  },
  // 7: marks, ranks and terms of searches. Nothing asks for a review that happened before. The job that ranks errors
  // also adds the terms of their files and functions.
  async (collections) => {
    await addUserHashes(collections.errorUsers);
    await collections.errors.updateMany({ rk: { $exists: false } }, { $set: { dq: 1 } }, { writeConcern: MAJORITY });
  },
  // 8: terms of tags have their values, by whose beginning searches find them.
  ({ errorTags }) => putTagTerms(errorTags),
  // 9: terms of tags have no case.
  ({ errorTags }) => putTagTerms(errorTags),
  // 10: the order of what matters has another rule. The job ranks all errors again.
  async ({ errors }) => {
    await errors.updateMany({ dq: { $exists: false } }, { $set: { dq: 1 } }, { writeConcern: MAJORITY });
  },
  // 11: terms of tags have the hosts and paths of addresses.
  ({ errorTags }) => putTagTerms(errorTags),
  // 12: uploads and releases of builds. Earlier versions know no aliases of mapped events, and leave rows of builds when
  // a project is deleted.
  () => Promise.resolve(),
  // 13: an error of events before their map goes on with one mapped group hash, and uploads wait in the store. Earlier
  // versions would count further faults there, and forget uploads that they answered.
  () => Promise.resolve(),
  // 14: commits of releases are found by their first digits, which earlier versions do not write.
  () => Promise.resolve(),
  // 15: indexes with what is read of all uploads of a project. Earlier versions sort them in memory.
  () => Promise.resolve(),
  // 16: the audit log, and roles by groups and by an identity provider. Earlier versions would make changes that the log
  // does not have, and know neither these roles nor the sessions that end at a provider. Sessions of a user are listed
  // by an index. Invitations, which earlier versions leave when a project is deleted.
  () => Promise.resolve(),
  // 17: webhooks of issues, which earlier versions leave when a project is deleted, and an index of linked issues by
  // their address.
  () => Promise.resolve(),
];

/** Schema version that this version writes. */
export const SCHEMA_VERSION = migrations.length;
