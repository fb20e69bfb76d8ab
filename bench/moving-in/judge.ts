import { MIXED_ERRORS, mixedIn, type MixedKind } from '../../test/support/sdks/mixed/mixed-error.ts';
import type { OldIssue } from './old-tracker.ts';
import { issueIds, type OwnError } from './own-error.ts';

/** Result of one SDK. */
export interface Joined {
  readonly sdk: string;
  /** Issues in the tracker. */
  readonly issues: number;
  /** Of these, imported with the count of the tracker. */
  readonly equal: number;
  /** Live events sent after the import, one of each error that the tracker has. */
  readonly live: number;
  /** Of these, counted by an imported error. */
  readonly joined: number;
  /** The same after a further run of the import, which joins by likeness. */
  readonly joinedLater: number;
  /** Exceptions with a stack among them. */
  readonly withStack: number;
  readonly withStackJoined: number;
  /** Words of errors that the tracker did not keep: they say nothing about the join. */
  readonly notThere: readonly string[];
  /** Live events that joined nothing, by kind: their words, with what became of them. */
  readonly apart: Readonly<Partial<Record<MixedKind, readonly string[]>>>;
}

const HAS_STACK: ReadonlySet<MixedKind> = new Set(['stack', 'cause', 'varying', 'fingerprint']);

/** Issues whose imported error is missing or counts otherwise, as sentences. */
export function unequalCounts(issues: readonly OldIssue[], errors: readonly OwnError[]): Map<string, string> {
  const byIssue = new Map(errors.flatMap((error) => issueIds(error).map((id) => [id, error] as const)));
  const unequal = new Map<string, string>();
  for (const { id, count, text } of issues) {
    const found = byIssue.get(id)?.count ?? null;
    if (found !== count) unequal.set(id, `issue ${id} ${text}: ${count} there, ${found ?? 'not imported'} here`);
  }
  return unequal;
}

const wordOf = (error: OwnError) => mixedIn(`${error.title} ${error.message ?? ''}`);

/** Null: counted once, by one imported error. */
function fateOf(grown: readonly OwnError[], earlier: ReadonlyMap<string, number>): string | null {
  const [only, ...more] = grown;
  if (only === undefined) return 'did not arrive';
  if (more.length > 0) return `counted by ${grown.map(({ id }) => id).join(' and ')}`;
  if (issueIds(only).length === 0) return `new error ${only.id}`;
  const added = only.count - (earlier.get(only.id) ?? 0);
  return added === 1 ? null : `counted ${added} times`;
}

/** All errors of the project: before the live events, after them, and after a further run of the import. */
export interface Snapshots {
  readonly before: readonly OwnError[];
  readonly after: readonly OwnError[];
  readonly later: readonly OwnError[];
}

/** Counts what became of the live events of an SDK. */
export function judge(
  sdk: { readonly id: string; readonly name: string },
  issues: readonly OldIssue[],
  unequal: ReadonlyMap<string, string>,
  { before, after, later }: Snapshots,
): Joined {
  const own = issues.filter(({ text }) => mixedIn(text)?.language === sdk.id);
  const kept = new Set(own.map(({ text }) => mixedIn(text)?.word));
  const there = MIXED_ERRORS.filter(({ word }) => kept.has(word));
  const earlier = new Map(before.map((error) => [error.id, error.count]));
  const fateIn = (errors: readonly OwnError[], word: string): string | null => {
    const isAbout = (about: ReturnType<typeof wordOf>): boolean => about?.word === word && about.language === sdk.id;
    const grown = errors.filter((error) => isAbout(wordOf(error)) && error.count !== (earlier.get(error.id) ?? 0));
    return fateOf(grown, earlier);
  };
  const apart: Partial<Record<MixedKind, string[]>> = {};
  const joined = there.filter(({ word, kind }) => {
    const fate = fateIn(after, word);
    if (fate !== null) (apart[kind] ??= []).push(`${word} (${fate})`);
    return fate === null;
  });
  const stacks = (errors: typeof MIXED_ERRORS): number => errors.filter(({ kind }) => HAS_STACK.has(kind)).length;
  return {
    sdk: sdk.name,
    issues: own.length,
    equal: own.filter(({ id }) => !unequal.has(id)).length,
    live: there.length,
    joined: joined.length,
    joinedLater: there.filter(({ word }) => fateIn(later, word) === null).length,
    withStack: stacks(there),
    withStackJoined: stacks(joined),
    apart,
    notThere: MIXED_ERRORS.filter(({ word }) => !kept.has(word)).map(({ word }) => word),
  };
}
