import { firstSeen, lastSeen, usersOf, type FakeIssue } from './world.ts';

export type Score = (issue: FakeIssue) => number;

export const SCORES = {
  lastSeen,
  firstSeen,
  count: (issue: FakeIssue) => issue.events.length,
  users: usersOf,
} satisfies Record<string, Score>;

/** Sorts by descending score. Equal scores are sorted by descending creation order, like ids. */
export function sortIssues(issues: readonly FakeIssue[], all: readonly FakeIssue[], score: Score): FakeIssue[] {
  return [...issues].sort((a, b) => score(b) - score(a) || all.indexOf(b) - all.indexOf(a));
}
