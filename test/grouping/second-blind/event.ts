import type { RawEvent } from '../pair.ts';

export type Frame = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, unknown>>;

export interface Failure {
  readonly type: string;
  readonly value?: string | null;
  readonly module?: string;
  /** Oldest call first, as the protocol has them. */
  readonly frames?: readonly Frame[];
  readonly mechanism?: Fields;
}

let count = 0;

function envelopeFields(): Fields {
  count += 1;
  return {
    event_id: (0x51d0_0000 + count * 7919).toString(16).padStart(32, 'b7'),
    timestamp: 1_731_000_000 + count * 1373.25,
  };
}

/** Failures are in the protocol's order: the root cause first, the outermost wrapper last. */
export function failing(
  platform: string,
  sdk: readonly [name: string, version: string],
  failures: readonly Failure[],
  more: Fields = {},
): RawEvent {
  return {
    ...envelopeFields(),
    platform,
    level: 'error',
    sdk: { name: sdk[0], version: sdk[1] },
    exception: {
      values: failures.map(({ frames, ...failure }) => ({
        ...failure,
        ...(frames === undefined ? {} : { stacktrace: { frames } }),
      })),
    },
    ...more,
  };
}

/** A log message, with no exception in it. */
export function logged(platform: string, sdk: readonly [name: string, version: string], more: Fields): RawEvent {
  return { ...envelopeFields(), platform, level: 'error', sdk: { name: sdk[0], version: sdk[1] }, ...more };
}

/** The two events of a pair that one builder makes of two sets of details. */
export function both<Details>(
  first: Details,
  second: Details,
  build: (details: Details) => RawEvent,
): readonly [RawEvent, RawEvent] {
  return [build(first), build(second)];
}
