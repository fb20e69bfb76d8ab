import { AppError } from '../../../domain/app-error.ts';
import type { BatchId, BatchResult, DigestedBatch } from '../../../domain/ingest/digest.ts';
import type { BatchStore } from '../../../domain/ports/stores/batch-store.ts';
import { BatchBodies } from '../../events/batch-bodies.ts';
import { foldBatch } from '../../fold.ts';
import { ReleaseFold } from '../../releases/fold-releases.ts';
import { errorKey, type Binary } from '../documents/document-keys.ts';
import type { ErrorTagsDocument } from '../documents/error-documents.ts';
import { NO_TERMS, termMembers } from '../updates/term-members.ts';
import { allDone } from './all-done.ts';
import { confirmedCollections, orUnconfirmed, unconfirmed } from './answers.ts';
import { byId, type BatchCollections, type Doc } from '../engine/batch-collections.ts';
import { withoutDeleted } from './dropped-groups.ts';
import { findKeys } from './known/key-filters.ts';
import { writeGuarded } from './guarded-write.ts';
import type { KnownProjects } from './known/known-projects.ts';
import { KnownRows } from './known/known-rows.ts';
import { hex } from './marked-rows.ts';
import { deleteUnnamed } from './new-blocks.ts';
import { takeEvents, type PreparedBatch, type TakenEvents, type TakeOptions } from './new-events.ts';
import { takeUsers } from './new-users.ts';
import { UserNames } from './user-names.ts';
import { Numbers } from './numbers.ts';
import { showUsers } from './show-users.ts';
import { settleMarks } from './known/known-there.ts';
import { PlanStore, type PlanFiles } from './plan/plan-file.ts';
import { prepareEvents } from './prepared-events.ts';
import { errorWrite, GUARDED, hoursWrites, outcomeWrite, type GuardedName, type Plan } from './plan/plan.ts';
import { releaseHoursWrites, releaseWrites } from './plan/plan-releases.ts';
import { planTags } from './plan/plan-tags.ts';
import type { PlannedWrite } from '../engine/planned-write.ts';
import { settleStatuses } from './settle-statuses.ts';
import { Slots, type Claim, type ClaimResult } from './slots.ts';
import { takeExtras } from './take-extras.ts';

export interface MongoBatchesOptions {
  readonly collections: BatchCollections;
  readonly planFiles: PlanFiles;
  /** Directory of plans, on the disk of the journal, so that both exist or are lost together. */
  readonly planDir: string;
  /** Id of the data dir; a copy of the folder has another one. */
  readonly owner: string;
  readonly now: () => number;
}

interface MadePlan extends Pick<TakenEvents, 'unnamedBlocks'> {
  readonly plan: Plan;
  /** Rows that are in the store once the batch is closed, and group hashes of errors. */
  readonly rows: readonly string[];
  readonly errors: readonly string[];
  /** Generation of known rows in which it was made. */
  readonly generation: number;
  /** True when errors of its projects were deleted at some time. */
  readonly deletions: boolean;
}

const NO_PLAN: Plan = {
  stored: 0,
  duplicates: 0,
  writes: { errors: [], errorHours: [], errorTags: [], outcomes: [], releases: [], releaseHours: [], eventReports: [] },
};
const NOTHING: DigestedBatch = { events: [], outcomes: [] };
const NO_EVENTS: PreparedBatch = { events: [], blocks: [], now: 0 };

/** Share of existing user rows above which reading first is cheaper than refused inserts. */
const LOOK_FIRST_SHARE = 0.25;

/**
 * Applies batches exactly once without multi-document transactions: docs/architecture.md, "Counted exactly
 * once". Each step is safe to repeat, and throws `store_unavailable` while anything is not confirmed.
 */
export class MongoBatches implements BatchStore {
  readonly #collections: BatchCollections;
  readonly #slots: Slots;
  readonly #plans: PlanStore;
  readonly #numbers: Numbers;
  readonly #journals = new Set<string>();
  /** Number after an abandoned one, by journal, while nothing was written under it: it need not be abandoned too. */
  readonly #givenUp = new Map<string, number>();
  readonly #known = new KnownRows();
  readonly #knownErrors = new KnownRows();
  readonly #names: UserNames;
  /** Number of deletions per project as last seen: a deletion begins a generation of known rows. */
  readonly #deletions = new Map<number, number>();
  #generation = 0;
  readonly #now: () => number;
  #lookFirst = true;

  constructor(options: MongoBatchesOptions) {
    const { owner, now } = options;
    const collections = confirmedCollections(options.collections);
    this.#collections = collections;
    this.#now = now;
    this.#slots = new Slots(collections.slots, owner, now);
    this.#plans = new PlanStore(options.planFiles, options.planDir);
    this.#numbers = new Numbers(collections.counters);
    this.#names = new UserNames(collections);
  }

  async lastBatch(journalId: string): Promise<number> {
    const slot = await this.#slots.find(journalId);
    // A starting journal calls this. From now on it counts as in use, also without batches.
    this.#journals.add(journalId);
    return slot === null ? 0 : slot.l - (slot.open ? 1 : 0);
  }

  async applyBatch(batchId: BatchId, batch: DigestedBatch): Promise<BatchResult> {
    const prepared = { events: prepareEvents(batch.events), blocks: batch.blocks ?? [], now: this.#now() };
    const claim = await this.#claim(batchId);
    if (typeof claim === 'string') return { kind: claim };
    const known = await orUnconfirmed(this.#plans.read(claim));
    if (known !== null && known !== 'damaged') return this.#apply(claim, known, prepared, batch);
    try {
      return await this.#apply(claim, null, prepared, batch);
    } catch (error) {
      // The rest of a batch that another data dir may have counted keeps the number that guards it.
      if (claim.fixedElsewhere !== true && !(error instanceof AppError && error.code === 'store_unavailable')) {
        await this.#slots.abandon(claim);
      }
      throw error;
    }
  }

  /**
   * Completes a batch by its plan, which contains all of it. Without a plan nothing was counted: the number is
   * abandoned, and rows under it become ownerless.
   */
  async completeBatch(batchId: BatchId): Promise<BatchResult | null> {
    const { journalId, n, hash } = batchId;
    const found = await this.#slots.find(journalId);
    if (found?.l !== n || found.h !== hash) return null;
    const plan = await orUnconfirmed(this.#plans.read({ journalId, slot: found._id, n: found.n }));
    const claim = await this.#claim(batchId);
    if (typeof claim === 'string') return { kind: claim };
    if (claim.n !== found.n) throw unconfirmed('the claim changed meanwhile');
    if (plan !== null && plan !== 'damaged') return this.#apply(claim, plan, NO_EVENTS, NOTHING);
    // After an unreadable plan that was final, writes may have been counted: the rest must keep the number that guards
    // them.
    const mayCount = plan === 'damaged' && found.fixed;
    if (!mayCount && this.#givenUp.get(journalId) !== claim.n && (await this.#slots.abandonTorn(claim, found))) {
      this.#givenUp.set(journalId, claim.n + 1);
    }
    return null;
  }

  async #claim(batchId: BatchId): Promise<ClaimResult> {
    const claim = await this.#slots.claim(batchId);
    if (typeof claim === 'string') {
      this.#journals.delete(batchId.journalId);
      await orUnconfirmed(this.#plans.remove(batchId.journalId));
    } else {
      this.#journals.add(batchId.journalId);
    }
    return claim;
  }

  async #apply(claim: Claim, known: Plan | null, prepared: PreparedBatch, batch: DigestedBatch): Promise<BatchResult> {
    this.#givenUp.delete(claim.journalId);
    try {
      return await this.#carryOut(claim, known, prepared, batch);
    } catch (error) {
      // A failover may have rolled back rows that were read.
      this.#forgetRows();
      this.#names.clear();
      throw error;
    }
  }

  async #carryOut(
    claim: Claim,
    known: Plan | null,
    prepared: PreparedBatch,
    batch: DigestedBatch,
  ): Promise<BatchResult> {
    const made = known === null ? await this.#makePlan(claim, prepared, batch) : null;
    if (known !== null) {
      await this.#slots.fix(claim);
    }
    const { rows = [], errors = [], unnamedBlocks = [], generation, deletions = true } = made ?? {};
    const whole = made?.plan ?? known ?? NO_PLAN;
    const plan = deletions ? await orUnconfirmed(withoutDeleted(whole, claim, this.#collections)) : whole;
    const newErrors = await orUnconfirmed(this.#write(claim, plan));
    await this.#slots.close(claim);
    if (generation === this.#generation) {
      rows.forEach((row) => this.#known.add(row));
      errors.forEach((groupHash) => this.#knownErrors.add(groupHash));
    }
    await deleteUnnamed(unnamedBlocks, this.#collections);
    await orUnconfirmed(this.#plans.remove(claim.journalId));
    return { kind: 'applied', stored: plan.stored, duplicates: plan.duplicates, newErrors };
  }

  /** Forgets known rows when errors of a project were deleted since, whose rows are gone. */
  #seeDeletions(projects: KnownProjects): void {
    for (const [id, { deletions }] of projects) {
      const seen = this.#deletions.get(id);
      this.#deletions.set(id, deletions);
      if (seen !== undefined && seen !== deletions) this.#forgetRows();
    }
  }

  #forgetRows(): void {
    this.#known.clear();
    this.#knownErrors.clear();
    this.#generation += 1;
  }

  /** Sends heartbeats of the journals this store writes for; call it about every six seconds. */
  async touch(): Promise<void> {
    if (this.#journals.size > 0) {
      await this.#slots.touch([...this.#journals]);
    }
  }

  /** Marks the journals of this store as idle until they are used again. */
  async rest(): Promise<void> {
    if (this.#journals.size > 0) {
      await this.#slots.rest([...this.#journals]);
    }
  }

  /** Releases the journal's slot when all of it is confirmed; false when it is not. For journals that end. */
  async release(journalId: string): Promise<boolean> {
    const released = await this.#slots.release(journalId);
    if (released) {
      this.#journals.delete(journalId);
    }
    return released;
  }

  /** Runs all steps before the plan is executed; they do not change counts. */
  async #makePlan(claim: Claim, prepared: PreparedBatch, batch: DigestedBatch): Promise<MadePlan> {
    const options: TakeOptions = {
      collections: this.#collections,
      slots: this.#slots,
      claim,
      knownErrors: this.#knownErrors,
      deletionsSeen: (projects) => this.#seeDeletions(projects),
    };
    const taken = await takeEvents(prepared, options);
    const generation = this.#generation;
    for (const outcome of batch.outcomes) {
      taken.outcomes.add(outcome);
    }
    const planned = await orUnconfirmed(this.#planned(taken, batch, options));
    return { ...planned, unnamedBlocks: taken.unnamedBlocks, deletions: taken.deletions, generation };
  }

  async #planned(
    { fresh, imports, knownThere, awaited, duplicates, outcomes }: TakenEvents,
    batch: DigestedBatch,
    options: TakeOptions,
  ): Promise<Omit<MadePlan, 'unnamedBlocks' | 'deletions' | 'generation'>> {
    const groupHashes = new Map(fresh.map((event) => [event.groupHash, event.projectId]));
    const fold = new ReleaseFold();
    fresh.forEach((event) => fold.addEvent(event));
    const [users, known, tags, extras] = await allDone([
      takeUsers(fresh, this.#known, this.#lookFirst, options),
      this.#read('errors', groupHashes, { _id: 1 }),
      this.#read('errorTags', groupHashes, { t: 1 }),
      takeExtras(batch, fold, options),
      this.#slots.fix(options.claim),
      settleMarks(awaited, this.#collections),
      this.#names.add(fresh),
    ]);
    this.#lookFirst = users.found > LOOK_FIRST_SHARE;
    const deltas = [...foldBatch(fresh, users.perGroupHash).values()];
    const ids = deltas.map((delta) => hex(errorKey(delta.projectId, delta.groupHash)));
    const created = ids.filter((id) => !known.has(id)).length;
    // Numbers are only reserved for projects with imported errors.
    const numbers = await this.#numbers.take(created, imports);
    extras.outcomes.forEach((outcome) => outcomes.add(outcome));
    const releases = [...fold.values()];
    const bodies = new BatchBodies(batch.blocks);
    const writes: Record<GuardedName, PlannedWrite[]> = {
      errors: [],
      errorHours: deltas.flatMap(hoursWrites),
      errorTags: [],
      outcomes: [...outcomes.values()].map(outcomeWrite),
      releases: releases.flatMap(releaseWrites),
      releaseHours: releases.flatMap(releaseHoursWrites),
      eventReports: [...extras.writes],
    };
    for (const [index, delta] of deltas.entries()) {
      const id = ids[index] ?? '';
      const planned = planTags(delta, tags.get(id) as ErrorTagsDocument | undefined);
      const number = known.has(id) ? null : (numbers.shift() ?? null);
      const terms = number === null ? {} : termMembers(bodies.termsOf(delta.firstEvent) ?? NO_TERMS);
      writes.errors.push(errorWrite(delta, number, planned, { knownThere: knownThere.get(delta.groupHash), terms }));
      if (planned.write !== null) {
        writes.errorTags.push(planned.write);
      }
    }
    GUARDED.forEach((name) => writes[name].sort((a, b) => byId(a._id, b._id)));
    const plan = { stored: fresh.length, duplicates, writes };
    await this.#plans.write(options.claim, plan);
    return { plan, rows: users.rows, errors: deltas.map(({ groupHash }) => groupHash) };
  }

  async #read(
    name: 'errors' | 'errorTags',
    groupHashes: ReadonlyMap<string, number>,
    projection: Doc,
  ): Promise<ReadonlyMap<string, Doc>> {
    const keys = [...groupHashes].map(([groupHash, projectId]) => ({
      _id: errorKey(projectId, groupHash),
      p: projectId,
    }));
    const found = await findKeys(this.#collections[name], keys, projection);
    return new Map(found.map((document) => [hex(document._id as Binary), document]));
  }

  /** Executes the plan; returns the number of errors created. */
  async #write(claim: Claim, { writes }: Plan): Promise<number> {
    const write = (name: GuardedName) =>
      writeGuarded(this.#collections[name], writes[name], {
        claim,
        ...(name === 'errors' ? { revive: (each: PlannedWrite) => this.#revived(each) } : {}),
      });
    // Hours go first: who finds an error that is to be ranked finds its hours.
    const [first, ...others] = GUARDED;
    await write('errorHours');
    const [newErrors] = await allDone([first, ...others.filter((name) => name !== 'errorHours')].map(write));
    await showUsers(this.#collections.errors, writes.errors);
    await settleStatuses(this.#collections, writes.errors);
    return newErrors ?? 0;
  }

  /**
   * Recreates an error that existed at planning and is missing now: its project was removed, or the store was restored.
   */
  async #revived(write: PlannedWrite): Promise<PlannedWrite> {
    const [id] = await this.#numbers.take(1);
    const { $setOnInsert, ...update } = write.update;
    return { ...write, update: { ...update, $setOnInsert: { ...($setOnInsert as object), id } }, upsert: true };
  }
}
