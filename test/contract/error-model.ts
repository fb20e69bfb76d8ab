import { usersStep } from '../../src/domain/alerts/alert-fact.ts';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { ErrorStatus } from '../../src/domain/errors/error-status.ts';

/** Plain state of an error. */
export interface ErrorModel {
  readonly groupHash: string;
  count: number;
  readonly users: Set<string>;
  first: DigestedEvent;
  last: DigestedEvent;
  newestReceived: number;
  status: ErrorStatus;
  resolvedAt: number;
  /** Events after which it is not ignored any more, counted from `since`; null: none. */
  ignoreCount: number | null;
  since: number;
  /** Count from which its events count for the condition of its root. */
  sinceOfRoot: number;
  /** Greatest step of users that was reached. */
  step: number;
  /** What it was merged into; itself when it stands alone. */
  root: ErrorModel;
}

/** The rules in their plainest form: one event after the other, nothing folded, nothing durable. */
export class Model {
  readonly errors = new Map<string, ErrorModel>();
  readonly known = new Set<string>();
  /** Ids of facts in any order. */
  readonly facts: string[] = [];
  /** Errors with new events since the last `settle`. */
  readonly #touched = new Set<ErrorModel>();

  add(event: DigestedEvent): void {
    if (this.known.has(event.eventId)) {
      return;
    }
    this.known.add(event.eventId);
    const group = event.message ?? '';
    let error = this.errors.get(group);
    if (error === undefined) {
      error = freshError(event);
      this.errors.set(group, error);
      this.facts.push(`new:${error.groupHash}`);
    }
    error.count += 1;
    this.#touched.add(error);
    if (event.userHash !== null) {
      error.users.add(event.userHash);
    }
    error.first = least([error.first, event]);
    error.last = greatest([error.last, event]);
    error.newestReceived = Math.max(error.newestReceived, event.receivedAt);
    if (error.status === 'resolved' && error.resolvedAt < event.receivedAt) this.#reopen(error);
  }

  #reopen(error: ErrorModel): void {
    error.status = 'unresolved';
    // That of a member is no news: its root tells.
    if (error.root === error) this.facts.push(`regressed:${error.groupHash}:${error.resolvedAt}`);
  }

  #reach(error: ErrorModel, users: number, known: number): void {
    const step = usersStep(users);
    if (step > known) this.facts.push(`users:${error.groupHash}:${step}`);
    error.step = Math.max(step, known);
  }

  /** Compares the users of errors that stand alone with their steps, at the end of a batch. */
  count(): void {
    for (const error of this.errors.values()) {
      if (error.root === error && this.membersOf(error).length === 1) this.#reach(error, error.users.size, error.step);
    }
  }

  /** What any member had reached before is known; members of a merged error reach their own steps silently. */
  #countMerged(root: ErrorModel, members: readonly ErrorModel[]): void {
    if (members.length < 2) return;
    const users = new Set(members.flatMap((member) => [...member.users]));
    this.#reach(root, users.size, Math.max(...members.map(({ step }) => step)));
    for (const member of members) {
      if (member !== root) member.step = Math.max(member.step, usersStep(member.users.size));
    }
  }

  membersOf(root: ErrorModel): ErrorModel[] {
    return [...this.errors.values()].filter((error) => error.root === root);
  }

  /** What any member receives after the root was resolved, or enough while it is ignored, opens the root again. */
  settle(): void {
    for (const root of this.errors.values()) {
      const members = this.membersOf(root);
      const newest = Math.max(0, ...members.map(({ newestReceived }) => newestReceived));
      if (root.status === 'resolved' && root.resolvedAt < newest) this.#reopen(root);
      this.#countMerged(root, members);
      // A condition that was reached while the error was merged ends with its next event.
      const isDue = members.length > 1 || this.#touched.has(root);
      const happened = members.map((one) => one.count - (one === root ? one.since : one.sinceOfRoot));
      const sum = happened.reduce((all, each) => all + each, 0);
      if (isDue && root.status === 'ignored' && sum >= (root.ignoreCount ?? Infinity)) {
        for (const one of members.filter(({ status }) => status === 'ignored')) {
          Object.assign(one, { status: 'unresolved', ignoreCount: null });
        }
        this.facts.push(`unmuted:${root.groupHash}:${newest}`);
      }
    }
    this.#touched.clear();
  }

  /** A person sets the status of a root. */
  decide(root: ErrorModel, status: ErrorStatus, at: number, ignoreCount: number | null): void {
    const members = this.membersOf(root);
    const resolvedAt = Math.max(at, ...members.map(({ newestReceived }) => newestReceived));
    for (const one of members) {
      Object.assign(one, { status, resolvedAt, ignoreCount, since: one.count, sinceOfRoot: one.count });
    }
  }

  view(): unknown[] {
    return [...this.errors.values()]
      .filter((error) => error.root === error)
      .map((root) => {
        const members = this.membersOf(root);
        const first = least(members.map((member) => member.first));
        const last = greatest(members.map((member) => member.last));
        return {
          message: last.message ?? '',
          count: members.reduce((sum, { count }) => sum + count, 0),
          userCount: new Set(members.flatMap(({ users }) => [...users])).size,
          status: root.status,
          ignoreCount: root.status === 'ignored' ? root.ignoreCount : null,
          seen: [first.at, last.at],
          releases: [first.release, last.release],
        };
      })
      .sort((a, b) => (a.message < b.message ? -1 : 1));
  }
}

function freshError(event: DigestedEvent): ErrorModel {
  const error = {
    groupHash: event.groupHash,
    step: 0,
    count: 0,
    users: new Set<string>(),
    first: event,
    last: event,
    newestReceived: 0,
    status: 'unresolved' as const,
    resolvedAt: 0,
    ignoreCount: null,
    since: 0,
    sinceOfRoot: 0,
  };
  const own: ErrorModel = Object.assign(error, { root: error as unknown as ErrorModel });
  own.root = own;
  return own;
}

function ranked(events: readonly DigestedEvent[]): DigestedEvent[] {
  const rank = (each: DigestedEvent) => `${each.at} ${each.eventId}`;
  return [...events].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

const least = (events: readonly DigestedEvent[]): DigestedEvent => ranked(events)[0]!;
const greatest = (events: readonly DigestedEvent[]): DigestedEvent => ranked(events).at(-1)!;
