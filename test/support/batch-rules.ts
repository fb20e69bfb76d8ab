import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BatchCode } from './mongo-sim-world.ts';
import { FACT_BATCH_RULES, type Change } from './fact-batch-rules.ts';

const MONGO = new URL('../../src/storage/mongo/', import.meta.url);
const BATCH = new URL('batch/', MONGO);
/** Folders whose files are loaded again, beside those of batches: they leave facts, and move them to the log. */
const OTHER_FOLDERS = ['alerts', 'updates'];
const OTHERS = OTHER_FOLDERS.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, MONGO)).map((name) => `../${folder}/${name}`),
);
const FILES = [
  ...readdirSync(BATCH, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')),
  ...OTHERS,
];
const COPIED = new Set(FILES.map((file) => new URL(file, BATCH).href));
/** Cache inside the repository, so that imports of packages resolve. */
const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));

const MARKED_OWN = 'owners.set(hex(row._id), row);';
/** Treats rows with this batch's id as those of another batch, in calls with the option `forgetful`. */
const FORGETS_WHERE_ASKED: Change = {
  file: 'marked-rows.ts',
  from: MARKED_OWN,
  to: "owners.set(hex(row._id), 'forgetful' in options ? 'other' : row);",
};

/** Rules that keep counts right, by name. Each value is a source change that removes the rule. */
export const BATCH_RULES = {
  /** A claim with another hash under the same number belongs to another journal. */
  compareHash: [{ file: 'slots.ts', from: 'if (slot.h !== hash) {', to: 'if (false) {' }],
  /** A claim requires that the previous one exists and is closed. */
  compareAndSet: [
    { file: 'slots.ts', from: 'if (slot.l + 1 !== n || slot.open) {', to: 'if (false) {' },
    {
      file: 'slots.ts',
      from: '{ _id: slot._id, j: journalId, o: slot.o, n: slot.n, l: slot.l, open: false },',
      to: '{ _id: slot._id, j: journalId },',
    },
  ],
  /** A claim is valid only after it was read back. */
  readBack: [
    {
      file: 'slots.ts',
      from: "{ n: slot.n + 1, l: n, h: hash, open: true, fixed: false, by: '' }, );",
      to: "{ n: slot.n + 1, l: n, h: hash, open: true, fixed: false, by: '' }, ); return { journalId, slot: slot._id, n: slot.n + 1 };",
    },
  ],
  /** A journal of another data dir is refused, unless its owner is gone. */
  ownerFence: [{ file: 'slots.ts', from: 'if (slot.o !== this.#owner) {', to: 'if (false) {' }],
  /** Batch numbers of a slot continue after those of the previous holder. */
  numbersGrow: [
    { file: 'slots.ts', from: 'this.#change(filter, fresh);', to: 'this.#change(filter, { ...fresh, n: 0 });' },
  ],
  /** Of equal ids in a batch, only the first is used. */
  keepFirst: [
    {
      file: 'new-events.ts',
      from: "ordered.push([id, each, first, fate === 'deleted']);",
      to: "ordered.push([id, each, true, fate === 'deleted']);",
    },
    {
      file: 'new-events.ts',
      from: 'const rows = [...candidates.values()].map(',
      to: 'const rows = ordered.map(([, each, , deleted]) => ({ each, deleted })).map(',
    },
  ],
  /** An event with this batch's id is new, also when the batch is repeated. */
  ownMark: [{ file: 'marked-rows.ts', from: MARKED_OWN, to: "owners.set(hex(row._id), 'other');" }],
  /** An event with another mark is a duplicate. */
  otherMark: [{ file: 'marked-rows.ts', from: "owners.set(hex(row._id), 'other');", to: MARKED_OWN }],
  /** Group hash, user and times are taken from the stored event. */
  storedAttributes: [
    {
      file: 'new-events.ts',
      from: "fresh.push(owner === 'inserted' ? event : asStored(event, owner));",
      to: 'fresh.push(event);',
    },
  ],
  /** A refused document that does not exist is no duplicate: the batch starts over. */
  absentStartsOver: [
    {
      file: 'marked-rows.ts',
      from: "throw unconfirmed('a row that was refused is not there');",
      to: "owners.set(hex(_id), 'other'); continue;",
    },
  ],
  /** A user's row with this batch's id is a new user. */
  userMarks: [
    FORGETS_WHERE_ASKED,
    {
      file: 'new-users.ts',
      from: 'projection: { p: 1, s: 1, n: 1 },',
      to: 'projection: { p: 1, s: 1, n: 1 }, forgetful: true,',
    },
  ],
  /** A row of a session, or of a user of a release, is counted by the batch in its mark. */
  sessionMarks: [
    FORGETS_WHERE_ASKED,
    { file: 'new-sessions.ts', from: 'lookFirst, others, }', to: 'lookFirst, others, forgetful: true, }' },
  ],
  /** Start, end and state of a session are taken from its stored rows. */
  storedSessions: [{ file: 'new-sessions.ts', from: '{ row: stored, given: row,', to: '{ row, given: row,' }],
  /** A batch that the database refuses permanently abandons its number before it is split. */
  abandon: [{ file: 'slots.ts', from: 'await this.#abandon(claim, { fixed: false });', to: '' }],
  /** A batch that another data dir made final keeps its number when it is split: that one may have counted. */
  splitKeepsNumber: [
    { file: 'mongo-batches.ts', from: 'if (claim.fixedElsewhere !== true && !(error', to: 'if (!(error' },
  ],
  /** A batch without a plan and with unreadable records abandons its number before the rest is applied. */
  abandonTorn: [{ file: 'slots.ts', from: 'await this.#abandon(claim, fixed ? { fixed, by } : { fixed });', to: '' }],
  /** A row taken by another gateway may carry the mark of an abandoned batch: the batch then starts over. */
  takenLate: [{ file: 'marked-rows.ts', from: 'lost.length === 0 ? givenUp :', to: 'true ? givenUp :' }],
  /** A batch with a plan cannot be abandoned. */
  fix: [
    {
      file: 'slots.ts',
      from: 'async fix(claim: Claim): Promise<void> {',
      to: 'async fix(claim: Claim): Promise<void> { if (true) return;',
    },
    {
      file: 'slots.ts',
      from: 'await this.#abandon(claim, { fixed: false });',
      to: 'await this.#abandon(claim, {});',
    },
  ],
  /** The plan is durable before the first guarded write, and a replay starts with it. */
  plan: [
    {
      file: 'mongo-batches.ts',
      from: 'const known = await orUnconfirmed(this.#plans.read(claim));',
      to: 'const known = null;',
    },
  ],
  /** A document applies a batch only once. */
  guard: [
    {
      file: 'guarded-write.ts',
      from: 'filter: { _id, p, [watermark]: { $not: { $gte: n } } },',
      to: 'filter: { _id, p },',
    },
  ],
  /** The guard accepts documents without a watermark of the slot. */
  notGte: [{ file: 'guarded-write.ts', from: '{ $not: { $gte: n } }', to: '{ $lt: n }' }],
  /** Each document gets one write per batch. */
  oneWrite: [
    {
      file: 'mongo-batches.ts',
      from: 'const deltas = [...foldBatch(fresh, users.perGroupHash).values()];',
      to: `const middle = Math.ceil(fresh.length / 2);
        const deltas = [
          ...foldBatch(fresh.slice(0, middle), users.perGroupHash).values(),
          ...foldBatch(fresh.slice(middle), new Map()).values(),
        ];`,
    },
  ],
  /** A refused upsert that was not applied is sent again. */
  resend: [
    { file: 'guarded-write.ts', from: 'if (answer.matched + answer.upserted === left.length) {', to: 'if (true) {' },
  ],
  /** After a write-concern error nothing is confirmed, even beside duplicates. */
  writeConcern: [
    {
      file: 'answers.ts',
      from: 'if (concern !== null) {',
      to: 'if (concern !== null && answer.writeErrors.length === 0) {',
    },
  ],
  /** Errors are reopened if events were received after their resolution. */
  reopen: [
    {
      file: 'mongo-batches.ts',
      from: 'await settleStatuses(this.#collections, writes.errors);',
      to: '',
    },
  ],
  /** Events and users are counted against the condition of an ignored error. */
  conditions: [{ file: 'settle-statuses.ts', from: "{ st: STATUS_CODES.ignored, det: { $gt: '' } },", to: '' }],
  /** The plan has the newest event of each release, so that a replay sees the newer ones too. */
  plannedReleases: [
    {
      file: 'plan/plan.ts',
      from: 'const releases = [...delta.releases].map(([release, at]) => ({ release, at }));',
      to: 'const releases: never[] = [];',
    },
  ],
  /** The claim is closed after all other writes. */
  closeLast: [
    {
      file: 'mongo-batches.ts',
      from: 'const newErrors = await orUnconfirmed(this.#write(claim, plan)); await this.#slots.close(claim);',
      to: 'await this.#slots.close(claim); const newErrors = await orUnconfirmed(this.#write(claim, plan));',
    },
  ],
  /** Bulks are sorted by `_id`. */
  sorted: [
    {
      file: 'marked-rows.ts',
      from: 'const sorted = [...rows].sort((a, b) => byId(a._id, b._id));',
      to: 'const sorted = rows;',
    },
    {
      file: 'mongo-batches.ts',
      from: 'GUARDED.forEach((name) => writes[name].sort((a, b) => byId(a._id, b._id)));',
      to: '',
    },
  ],
  /** Blocks are durable before an event refers to them. */
  blocksFirst: [
    {
      file: 'new-blocks.ts',
      from: 'const refused = duplicatesIn(await eventBlocks.insertMany(sorted as unknown as Doc[]));',
      to: `void eventBlocks.insertMany(sorted as unknown as Doc[]).catch(() => undefined);
        const refused: number[] = [];`,
    },
  ],
  /** A closed batch keeps the blocks of the events that it counted. */
  namedStay: [{ file: 'new-blocks.ts', from: '.filter(([id]) => !named.has(id))', to: '' }],
  /** No block of an open batch is deleted. */
  blocksOfOpen: [
    {
      file: 'block-removal.ts',
      from: 'return block.n < end && (isOld',
      to: 'return (isOld',
    },
  ],
  /** A block is deleted only if none of its events refers to it. */
  lookForEvents: [
    {
      file: 'block-removal.ts',
      from: 'settled.filter(({ _id }) => isUnused(uses.get(hex(_id)) ?? UNUSED)),',
      to: 'settled,',
    },
  ],
  /** A block that retention wrote stays while its events may still be moved into it. */
  awaitedStay: [
    {
      file: 'block-removal.ts',
      from: 'return events.length === 0 && awaited.length === 0;',
      to: 'return events.length === 0;',
    },
  ],
  /** The bodies of a block are stored with their events before the block is deleted. */
  unpackFirst: [
    {
      file: 'block-removal.ts',
      from: "duplicatesIn(await collections.events.updateEach(operations, 'events.unpack'));",
      to: "void collections.events.updateEach(operations, 'events.unpack').catch(() => undefined);",
    },
    {
      file: 'block-removal.ts',
      from: 'return isUnused({ ...left, awaited: left.awaited.filter((event) => !unpacked.has(event)) });',
      to: 'return [left, unpacked].length > 0;',
    },
  ],
  /** The alias that a mapped event leaves is stored before the event. */
  aliasFirst: [
    {
      file: 'known/known-group-hashes.ts',
      from: 'await aliases.keep(left);',
      to: 'void aliases.keep(left).catch(() => undefined); return events;',
    },
  ],
  /** Of gateways that go on with what was sent by other mapped events, the first decides. */
  oneContinues: [
    { file: 'continuations.ts', from: 'if (!refused.has(_id)) this.#kept.set', to: 'this.#kept.set' },
    { file: 'continuations.ts', from: 'if (refused.size === 0) return true;', to: 'if (rows.length > 0) return true;' },
  ],
  /** The row of an event says whether the tracker gets it too; a replay goes by it. */
  storedKnownThere: [
    {
      file: 'new-events.ts',
      from: "const stored = owner === 'inserted' ? document : owner;",
      to: 'const stored = document;',
    },
  ],
  /** A batch looks for marks that wait for its events. */
  settleMarks: [
    { file: 'mongo-batches.ts', from: 'settleMarks(awaited, this.#collections),', to: 'Promise.resolve(),' },
  ],
  /** A mark is looked for behind its event. */
  marksBehindEvents: [
    {
      file: 'new-events.ts',
      from: 'const owners = await claimRows(collections.events, rows, {',
      to: `await settleMarks(rows, collections);
        const owners = await claimRows(collections.events, rows, {`,
    },
    {
      file: 'new-events.ts',
      from: "import { withKnownThere, type MarkedEvent } from './known/known-there.ts';",
      to: "import { settleMarks, withKnownThere, type MarkedEvent } from './known/known-there.ts';",
    },
    { file: 'mongo-batches.ts', from: 'settleMarks(awaited, this.#collections),', to: 'Promise.resolve(),' },
  ],
  /** Imported errors show their own users when these are more than those of the tracker. */
  showUsers: [{ file: 'mongo-batches.ts', from: 'await showUsers(this.#collections.errors, writes.errors);', to: '' }],
  ...FACT_BATCH_RULES,
} satisfies Record<string, readonly Change[]>;

export type BatchRule = keyof typeof BATCH_RULES;

/**
 * Loads the code of batches without one of its rules; other modules are shared with the real code.
 * Throws unless the source to change occurs exactly once.
 */
export async function batchesWithout(rule: BatchRule): Promise<BatchCode> {
  mkdirSync(CACHE, { recursive: true });
  const dir = mkdtempSync(join(CACHE, `without-${rule}-`));
  try {
    for (const folder of ['batch', ...OTHER_FOLDERS]) mkdirSync(join(dir, folder));
    for (const file of FILES) {
      const source = readFileSync(new URL(file, BATCH), 'utf8');
      mkdirSync(dirname(join(dir, 'batch', file)), { recursive: true });
      writeFileSync(join(dir, 'batch', file), withAbsoluteImports(changed(rule, file, source), file));
    }
    const load = async (file: string) => (await import(pathToFileURL(join(dir, file)).href)) as BatchCode;
    const { MongoBatches } = await load('batch/mongo-batches.ts');
    const { leaveBlocks, unpackSparse, deleteUnused } = await load('batch/block-removal.ts');
    const { packBodies } = await load('batch/packed-block.ts');
    const { FactLog } = await load('alerts/fact-log.ts');
    return { MongoBatches, leaveBlocks, unpackSparse, deleteUnused, packBodies, FactLog };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function changed(rule: BatchRule, file: string, source: string): string {
  const changes: readonly Change[] = BATCH_RULES[rule];
  return changes
    .filter((change) => change.file === file)
    .reduce((text, { from, to }) => {
      const parts = text.split(new RegExp(from.split(/\s+/).map(literally).join('\\s+')));
      if (parts.length !== 2) {
        throw new Error(
          `the rule "${rule}" is looked for in ${file}, where this stands ${parts.length - 1} times: ${from}`,
        );
      }
      return parts.join(to);
    }, source);
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Makes relative imports of files that are not copied absolute, so that they resolve from the copied file. */
function withAbsoluteImports(source: string, file: string): string {
  return source.replace(/ from '(\.\.?\/[^']+)'/g, (kept, path: string) => {
    const { href } = new URL(path, new URL(file, BATCH));
    return COPIED.has(href) ? kept : ` from '${href}'`;
  });
}
