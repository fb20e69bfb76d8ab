import type { ErrorTexts } from '../../domain/errors/error-texts.ts';

/**
 * What a field is about, and what merging errors does with it (`merge/group.ts`):
 *
 * - `key`: names the row; it stays, and the merged error has the root's.
 * - `first`, `last`: the first and the newest event; the least and the greatest of all members, by time and event id.
 * - `text`: of the newest event, and merged with it. `search`: the lines of all members.
 * - `count`: summed up, or the greatest. `users`: counted again. `state`: the root's.
 * - `mark`: the newest of all members. `rank`: made by a job of the sums of the members.
 * - `origin`: what an imported error counts beside its totals; read by member.
 */
type FieldKind =
  'key' | 'first' | 'last' | 'text' | 'search' | 'count' | 'users' | 'state' | 'mark' | 'rank' | 'origin';

interface Field {
  readonly kind: FieldKind;
  /** Column of `errors` in SQLite. */
  readonly column: string;
  /** Member of an error's document in MongoDB. */
  readonly member: string;
  /** True: read for lists and details. The displayed row of a merged error has it too, under the same names. */
  readonly shown?: true;
  /** True: both stores keep the value of `StoredError` as it is. Other forms are converted where they are copied. */
  readonly plain?: true;
  /** True: a document lacks the member while the value is null. */
  readonly absent?: true;
  /**
   * Text of a new error whose tracker does not tell it; a known text stays. Absent: an import writes what the tracker
   * has, also null.
   */
  readonly untold?: string | null;
}

type TextField = Field & { readonly kind: 'text'; readonly shown: true; readonly plain: true };

/** Texts of the newest event, in the order of their columns. */
const TEXTS = {
  level: { kind: 'text', column: 'level', member: 'last.level', shown: true, plain: true, untold: 'error' },
  platform: { kind: 'text', column: 'platform', member: 'last.platform', shown: true, plain: true, untold: 'other' },
  type: { kind: 'text', column: 'type', member: 'last.type', shown: true, plain: true },
  title: { kind: 'text', column: 'title', member: 'last.title', shown: true, plain: true },
  culprit: { kind: 'text', column: 'culprit', member: 'last.culprit', shown: true, plain: true, untold: null },
  message: { kind: 'text', column: 'message', member: 'last.message', shown: true, plain: true },
} as const satisfies Readonly<Record<keyof ErrorTexts, TextField>>;

/**
 * Every column of `errors`, with the member of MongoDB that has the same. Members without a column are in rows of other
 * tables there: environments, releases, terms, activity, facts on their way.
 */
export const ERROR_FIELDS = {
  id: { kind: 'key', column: 'id', member: 'id', shown: true, plain: true },
  projectId: { kind: 'key', column: 'project_id', member: 'p', shown: true, plain: true },
  groupHash: { kind: 'key', column: 'leaf', member: '_id' },
  groupingVersion: { kind: 'key', column: 'grouping_version', member: 'v', plain: true },

  status: { kind: 'state', column: 'status', member: 'st', shown: true, plain: true },
  statusDetails: { kind: 'state', column: 'status_details', member: 'det', shown: true, plain: true },
  assigneeId: { kind: 'state', column: 'assignee_id', member: 'as', shown: true, plain: true },

  count: { kind: 'count', column: 'count', member: 'c', shown: true, plain: true },
  userCount: { kind: 'users', column: 'user_count', member: 'u', shown: true, plain: true },
  stored: { kind: 'count', column: 'stored', member: 'k', plain: true },
  newestReceived: { kind: 'count', column: 'newest_received', member: 'rcv', plain: true },

  firstSeen: { kind: 'first', column: 'first_seen', member: 'first.at', shown: true },
  firstEvent: { kind: 'first', column: 'first_event', member: 'first.id' },
  firstRelease: { kind: 'first', column: 'first_release', member: 'first.release', shown: true },
  lastSeen: { kind: 'last', column: 'last_seen', member: 'last.at', shown: true },
  lastEvent: { kind: 'last', column: 'last_event', member: 'last.id' },
  lastRelease: { kind: 'last', column: 'last_release', member: 'last.release', shown: true },
  ...TEXTS,
  searchText: { kind: 'search', column: 'search_text', member: 'last.q', plain: true },

  regressedAt: { kind: 'mark', column: 'regressed_at', member: 'reg.at', shown: true },
  regressedRelease: { kind: 'mark', column: 'regressed_release', member: 'reg.r', shown: true },
  escalatedAt: { kind: 'mark', column: 'escalated_at', member: 'esc.at', shown: true },
  escalatedCause: { kind: 'mark', column: 'escalated_cause', member: 'esc.c', shown: true },
  unmutedAt: { kind: 'mark', column: 'unmuted_at', member: 'um.at', shown: true },
  unmutedCause: { kind: 'mark', column: 'unmuted_cause', member: 'um.c', shown: true },
  reviewAt: { kind: 'mark', column: 'review_at', member: 'ask', shown: true },
  unhandled: { kind: 'mark', column: 'unhandled', member: 'uh', shown: true },

  resolvedAt: { kind: 'state', column: 'resolved_at', member: 'res', plain: true },
  mergedInto: { kind: 'state', column: 'merged_into', member: 'into' },
  statusChangedAt: { kind: 'state', column: 'status_changed_at', member: 'sta', plain: true, absent: true },
  newestAt: { kind: 'state', column: 'newest_at', member: 'act.at' },
  newestRelease: { kind: 'state', column: 'newest_at_release', member: 'act.r' },
  passedAt: { kind: 'state', column: 'passed_at', member: 'pas.at' },
  passedRelease: { kind: 'state', column: 'passed_release', member: 'pas.r' },
  rootDetails: { kind: 'state', column: 'root_details', member: 'rdet' },
  rootEvents: { kind: 'state', column: 'root_events', member: 'rc' },
  rootUsers: { kind: 'state', column: 'root_users', member: 'rn' },
  mutedUntil: { kind: 'state', column: 'muted_until', member: 'mt', plain: true },
  mutedEvents: { kind: 'state', column: 'muted_events', member: 'mc', plain: true },
  mutedUsers: { kind: 'state', column: 'muted_users', member: 'mn', plain: true },
  usersStep: { kind: 'users', column: 'users_step', member: 'un' },

  matters: { kind: 'rank', column: 'matters', member: 'rk' },
  events1h: { kind: 'rank', column: 'events_1h', member: 'rg.1h' },
  events24h: { kind: 'rank', column: 'events_24h', member: 'rg.24h' },
  events7d: { kind: 'rank', column: 'events_7d', member: 'rg.7d' },
  events14d: { kind: 'rank', column: 'events_14d', member: 'rg.14d' },
  events30d: { kind: 'rank', column: 'events_30d', member: 'rg.30d' },
  rankDue: { kind: 'rank', column: 'rank_due', member: 'due' },

  baseCount: { kind: 'origin', column: 'base_count', member: 'imp.b' },
  baseUsers: { kind: 'origin', column: 'base_users', member: 'imp.bu' },
  ownUsers: { kind: 'origin', column: 'own_users', member: 'imp.uo' },
  knownBoth: { kind: 'origin', column: 'known_both', member: 'kb' },
  knownMarked: { kind: 'origin', column: 'known_marked', member: 'kb' },
} as const satisfies Readonly<Record<string, Field>>;

export type Fields = typeof ERROR_FIELDS;
type FieldWith<P> = { [F in keyof Fields]: Fields[F] extends P ? F : never }[keyof Fields];

/** Field whose value both stores keep as it is. */
export type PlainField = FieldWith<{ readonly plain: true }>;

/** Column of fields of a kind. */
type ColumnOf<K extends FieldKind> = Fields[FieldWith<{ readonly kind: K }>]['column'];

/** The fields in the order of the table. */
export const FIELDS: readonly (readonly [name: string, field: Field])[] = Object.entries<Field>(ERROR_FIELDS);

/** Names of the texts, in the order of their columns. */
export const TEXT_FIELDS = Object.keys(TEXTS) as (keyof ErrorTexts)[];

/** Texts that an import keeps where its tracker does not tell them. */
export const KEPT_TEXTS = TEXT_FIELDS.filter((name) => 'untold' in TEXTS[name]);

export const PLAIN_FIELDS = FIELDS.flatMap(([name, { plain }]) => (plain ? [name as PlainField] : []));

/** Returns the columns of the kinds, in the order of the table. */
export function columnsOf<K extends FieldKind>(...kinds: readonly K[]): ColumnOf<K>[] {
  const found = FIELDS.filter(([, { kind }]) => kinds.some((each) => each === kind));
  return found.map(([, { column }]) => column as ColumnOf<K>);
}
