/** How both stores keep the values of a member. */
export interface MemberType<T> {
  /**
   * `json`: an object or a list, which is read and written as a whole. `hex`: lower-case hex, which SQLite keeps as
   * bytes. `folded`: a text that is sought and unique in any case; its letters are ASCII.
   */
  readonly stored: 'integer' | 'text' | 'boolean' | 'json' | 'hex' | 'folded';
  readonly nullable: boolean;
  /** Value in rows that were written before the member was declared; absent: every row has the member. */
  readonly fallback?: T;
}

/** A number without a fraction, at most 2^53. */
export const integer: MemberType<number> = { stored: 'integer', nullable: false };
export const boolean: MemberType<boolean> = { stored: 'boolean', nullable: false };
export const text = <T extends string>(): MemberType<T> => ({ stored: 'text', nullable: false });
export const hex: MemberType<string> = { stored: 'hex', nullable: false };
/** At most one member of a kind: MongoDB keeps its text in lower case as `lower`. */
export const folded: MemberType<string> = { stored: 'folded', nullable: false };
export const json = <T>(): MemberType<T> => ({ stored: 'json', nullable: false });

/** Returns the type of a member that may be null. */
export const nullable = <T>({ stored }: MemberType<T>): MemberType<T | null> => ({ stored, nullable: true });

/** Returns the type of a member that was declared after rows were written. */
export const since = <T>(type: MemberType<T>, fallback: T): MemberType<T> => ({ ...type, fallback });

/** Rows of which only the existence is read here: batches and other commands write them. */
export interface Reference<K> {
  /** Name of the collection, and of the part of a copy. */
  readonly name: string;
  /** Table of SQLite; absent: the name in snake case. */
  readonly table?: string;
  /** Members that identify a row, in the order of lists. */
  readonly key: readonly (keyof K & string)[];
}

/**
 * What the rows belong to. `project`: they are removed with their `projectId`. `user`: with their `userId`. `member`:
 * they have both, and are also removed when the membership ends. `instance`: code that knows them removes them.
 */
export type Owner = 'project' | 'user' | 'member' | 'instance';

/** Member of an order of rows; descending with `-`. */
type OrderMember<R> = (keyof R & string) | `-${keyof R & string}`;

/**
 * Kind of rows that are not counted: each is written as a whole, by its key. Both stores make table, collection, indexes,
 * reads and writes from this declaration, and so do copies and the deletion of projects.
 */
export interface Kind<R, K extends keyof R & string> extends Reference<Pick<R, K>> {
  readonly key: readonly K[];
  /** True: the store gives each row a number that is never used again, in the only member of the key. */
  readonly numbered: boolean;
  readonly members: { readonly [M in keyof R & string]: MemberType<R[M]> };
  readonly of: Owner;
  /** Further orders by name, for lists whose condition is no beginning of the key. */
  readonly indexes: Readonly<Record<string, readonly OrderMember<R>[]>>;
  /** Orders by name of which no two rows have the same values. */
  readonly unique: Readonly<Record<string, readonly (keyof R & string)[]>>;
  /** True: ingestion knows the rows (`ingestAccess`), so each write raises its version. */
  readonly ingest: boolean;
  /** True: pages read a row by its key for each request, so MongoDB's `ReadCache` may answer it. */
  readonly cached: boolean;
}

/** Row of any kind, where code is the same for all. */
export type AnyRow = Readonly<Record<string, unknown>>;
export interface AnyKind extends Omit<Kind<AnyRow, string>, 'members'> {
  readonly members: Readonly<Record<string, MemberType<unknown>>>;
}

type Defaults = 'numbered' | 'indexes' | 'unique' | 'ingest' | 'cached';

/** Declares a kind. Without them: not numbered, no further indexes, unknown to ingestion, not cached. */
export function kind<R, K extends keyof R & string>(
  declared: Omit<Kind<R, K>, Defaults> & Partial<Pick<Kind<R, K>, Defaults>>,
): Kind<R, K> {
  return { numbered: false, indexes: {}, unique: {}, ingest: false, cached: false, ...declared };
}

/** Names that `snakeCase` made: rows of each request are read by them. */
const SNAKE_NAMES = new Map<string, string>();

/** Returns the name of a table or column, of names in declarations. */
export function snakeCase(name: string): string {
  const known = SNAKE_NAMES.get(name);
  if (known !== undefined) return known;
  const made = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  SNAKE_NAMES.set(name, made);
  return made;
}

/** Returns the table of a kind. */
export function tableName({ name, table }: Reference<never>): string {
  return table ?? snakeCase(name);
}
