import { hash } from 'node:crypto';
import type { RemoteIssue } from '../tracker-reader.ts';
import { EntryLog, type EntryStore } from './entry-log.ts';

/** What a list of issues told of one of them. Hashes are equal where the list tells the same. */
export interface Listing {
  /** Time of the last event, milliseconds. */
  readonly seen: number;
  /** Hash of all that is listed, charts aside: these move with the time. */
  readonly listed: string;
  /** Hash of what changes without an event: status, comments, user reports. */
  readonly triage: string;
}

/** What is remembered of an issue that was read whole. */
export interface IssueMark extends Listing {
  /** Hash of what changes without an event, as the issue alone tells it. */
  readonly details: string;
  /** Time of the newest user report that was read, milliseconds; 0: none. */
  readonly reported: number;
  /** Own live events of the error before its events were read; null: something is open, so it is read while recent. */
  readonly own: number | null;
}

/** Issues that are remembered, about 180 bytes each in the state and 400 in memory. */
const MAX_MARKS = 50_000;
/** Part of them that is forgotten at once. */
const FORGOTTEN = 0.1;

const digest = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 11);

export function listingOf(issue: RemoteIssue): Listing {
  const { hours: _hours, days: _days, isWhole: _isWhole, ...told } = issue;
  return { seen: issue.lastSeen, listed: digest(told), triage: triageOf(issue) };
}

/** Returns a hash of what changes without an event. */
export function triageOf({ status, commentCount, reportCount }: RemoteIssue): string {
  return digest([status, commentCount, reportCount]);
}

/**
 * Issues that were read whole, by id, so that a further run asks nothing more of those that have not changed. Kept in
 * the state of the import. On overflow the tenth that was seen longest ago is forgotten: such an issue is read again
 * while it is recent, and a change without an event is not noticed.
 */
export class IssueMarks {
  readonly #log: EntryLog<IssueMark | null>;
  readonly #marks = new Map<string, IssueMark>();

  constructor(store: EntryStore, key: string) {
    this.#log = new EntryLog(store, `${key}/marks/`);
  }

  /** Reads all marks; the other methods work on them. */
  async open(): Promise<this> {
    for (const [id, mark] of await this.#log.read()) if (mark !== null) this.#marks.set(id, mark);
    if (this.#log.isLong(this.#marks.size)) await this.#log.rewrite(this.#marks);
    return this;
  }

  get(issueId: string): IssueMark | undefined {
    return this.#marks.get(issueId);
  }

  set(issueId: string, mark: IssueMark): void {
    if (!this.#marks.has(issueId) && this.#marks.size >= MAX_MARKS) this.#forgetOldest();
    this.#marks.set(issueId, mark);
    this.#log.set(issueId, mark);
  }

  delete(issueId: string): void {
    if (this.#marks.delete(issueId)) this.#log.set(issueId, null);
  }

  /** Forgets all issues. */
  async clear(): Promise<void> {
    this.#marks.clear();
    await this.#log.rewrite(this.#marks);
  }

  /** Saves what has changed since the last call. */
  save(): Promise<void> {
    return this.#log.save();
  }

  #forgetOldest(): void {
    const oldestFirst = [...this.#marks].sort(([, a], [, b]) => a.seen - b.seen);
    for (const [id] of oldestFirst.slice(0, MAX_MARKS * FORGOTTEN)) this.delete(id);
  }
}
