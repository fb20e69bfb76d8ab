/**
 * The rules that keep counts right, by name. All of them hold in the service; the model check switches one
 * off at a time and must then find a wrong state.
 */
export const BATCH_RULES = [
  /** A claim with another hash under the same number belongs to another journal. */
  'compareHash',
  /** A claim is taken only where the one before it stands and is closed. */
  'compareAndSet',
  /** A claim counts only after it was read back. */
  'readBack',
  /** Another data dir's journal is not written for, unless its owner is gone. */
  'ownerFence',
  /** Batch numbers of a slot go on where the holder before ended. */
  'numbersGrow',
  /** Of equal ids in a batch only the first is looked at. */
  'keepFirst',
  /** An event that bears this batch's mark is new, however often the batch is repeated. */
  'ownMark',
  /** An event that bears another mark is a duplicate. */
  'otherMark',
  /** Leaf, user and times are the stored ones. */
  'storedAttributes',
  /** A refused document that is not there is no duplicate: start over. */
  'absentStartsOver',
  /** A user's row that bears this batch's mark is a new user. */
  'userMarks',
  /** A row of a session, or of a person of a release, that bears this batch's mark is counted by it. */
  'sessionMarks',
  /** How and when a session ended and began is what its rows say. */
  'storedSessions',
  /** A batch that the database refuses for good gives its number up before it is cut. */
  'abandon',
  /** So does a batch without a plan whose records can no longer all be read, before what is left of it comes. */
  'abandonTorn',
  /** A row that somebody else took first may bear the mark of a batch that was given up, too: then start over. */
  'takenLate',
  /** A batch with a plan cannot be given up any more. */
  'fix',
  /** The plan is durable before the first guarded write, and a replay starts there. */
  'plan',
  /** A document takes a batch once. */
  'guard',
  /** The guard lets documents through that have no watermark of the slot. */
  'notGte',
  /** One write per document and batch. */
  'oneWrite',
  /** A refused upsert that was not applied is sent again. */
  'resend',
  /** A write-concern error means that nothing is confirmed, also beside duplicates. */
  'writeConcern',
  /** Errors whose resolution is older than what was received are open again. */
  'reopen',
  /** The claim is closed after everything else. */
  'closeLast',
  /** Bulks are sorted by `_id`. */
  'sorted',
] as const;

export type BatchRule = (typeof BATCH_RULES)[number];
export type BatchRules = Readonly<Record<BatchRule, boolean>>;

export const ALL_RULES: BatchRules = Object.fromEntries(BATCH_RULES.map((rule) => [rule, true])) as Record<
  BatchRule,
  boolean
>;
