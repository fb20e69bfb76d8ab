/** An event as an SDK puts it on the wire. */
export type RawEvent = Readonly<Record<string, unknown>>;

/** Two events, and what a person who reads both would say of them: one error, or two. */
export interface Pair {
  readonly name: string;
  readonly same: boolean;
  readonly first: RawEvent;
  readonly second: RawEvent;
}

export function same(name: string, first: RawEvent, second: RawEvent): Pair {
  return { name, same: true, first, second };
}

export function different(name: string, first: RawEvent, second: RawEvent): Pair {
  return { name, same: false, first, second };
}
