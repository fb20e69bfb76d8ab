import type { Config } from '../../config/schema.ts';
import type { ForwardResult } from '../integrated/forwarding/forward-target.ts';
import type { StopRequest } from '../lib/thread.ts';

/** Start data of the thread that forwards. */
export interface ForwardThreadInput {
  readonly config: Config;
  /** Absolute. */
  readonly dataDir: string;
}

/** Messages from the main thread. */
export type ForwardRequest =
  /** The forwards of projects have changed. */
  { readonly kind: 'changed' } | StopRequest;

/** Messages to the main thread. */
export type ForwardNotice =
  | { readonly kind: 'count'; readonly result: ForwardResult; readonly quantity: number }
  | { readonly kind: 'waiting'; readonly bytes: number; readonly oldestAt: number | null };
