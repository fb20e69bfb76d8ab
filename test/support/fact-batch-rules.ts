/**
 * Source text that occurs once in `file`, and its replacement without the rule. White space is normalised. Files are
 * named from the folder of batches.
 */
export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Rules of batches and of the log that keep facts exact. */
export const FACT_BATCH_RULES = {
  /** The write that creates an error leaves the fact that it is new. */
  newFacts: [
    {
      file: 'plan/plan.ts',
      from: 'number === null || imported ? {} : pendingMembers(',
      to: 'true ? {} : pendingMembers(',
    },
  ],
  /** The update that ends a status leaves the fact. */
  endFacts: [
    {
      file: '../updates/status-members.ts',
      from: 'const { $push, $set: flag } = fact === null ?',
      to: 'const { $push, $set: flag } = fact === null || true ?',
    },
  ],
  /** Only facts that no failover takes back are moved to the log. */
  confirmedFacts: [
    { file: '../alerts/fact-log.ts', from: "'majority', 'errors.pending'", to: "'local', 'errors.pending'" },
  ],
  /** Facts are in the log before they are removed from their errors. */
  insertFactsFirst: [
    { file: '../alerts/fact-log.ts', from: 'await this.insert(facts.sort(', to: 'void this.insert(facts.sort(' },
    {
      file: '../alerts/fact-log.ts',
      from: 'Number(a.errorId) - Number(b.errorId)));',
      to: 'Number(a.errorId) - Number(b.errorId))).catch(() => undefined);',
    },
  ],
  /** Only facts that are in the log are removed: another may have come meanwhile. */
  removeReadFacts: [
    {
      file: '../alerts/fact-log.ts',
      from: 'filter: { _id, p, pf: [] }, update: done',
      to: 'filter: { _id, p }, update: done',
    },
  ],
  /** The head names the facts of the next places before any of them is written. */
  placesOfHead: [
    {
      file: '../alerts/fact-log.ts',
      from: 'if (!(await this.#change(head, { $set: { placing: keys }, $inc: { version: 1 } }))) continue;',
      to: 'opened.version = head.version;',
    },
  ],
  /** The head changes only from the state that was read. */
  headVersion: [
    {
      file: '../alerts/fact-log.ts',
      from: 'const filter = { _id: HEAD, version };',
      to: 'const filter = { _id: HEAD, version: { $gte: version - 1 } };',
    },
  ],
  /** A process that finds places that are not written yet writes them first. */
  finishFirst: [
    {
      file: '../alerts/fact-log.ts',
      from: 'await this.#finish(head, head.placing);',
      to: "await this.#change(head, { $set: { last: head.last + head.placing.length }, $unset: { placing: '' }, $inc: { version: 1 } });",
    },
  ],
} satisfies Record<string, readonly Change[]>;
