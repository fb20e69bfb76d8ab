import type { ErrorCode } from '../../../domain/app-error.ts';
import type { ProjectProtection } from '../../../domain/own-protection.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import type { DigestProgress } from '../loop/digest-loop-options.ts';

/** From the main thread. */
export type DigestRequest =
  | { readonly kind: 'advance'; readonly position: JournalPosition }
  /** What projects ask for themselves, all of them: in force for every record that an `advance` after it tells of. */
  | { readonly kind: 'protect'; readonly protections: readonly ProjectProtection[] }
  /** Answered by `idle` as soon as everything up to the last `advance` is in the store. */
  | { readonly kind: 'tell_idle' }
  /** Answered by the end of the thread. */
  | { readonly kind: 'stop' };

/** To the main thread. */
export type DigestNotice =
  /** The store does not answer; it is tried again. */
  | { readonly kind: 'away'; readonly reason: string }
  /** The store will not do, and the thread ends. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly reason: string }
  /** The store is open and brought up to date. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: DigestProgress }
  | { readonly kind: 'quarantined'; readonly count: number }
  | { readonly kind: 'dropped'; readonly category: string; readonly reason: string; readonly quantity: number }
  /** Nothing gets into the store, for this reason; null: it does again. */
  | { readonly kind: 'held_up'; readonly reason: string | null }
  | { readonly kind: 'idle'; readonly drained: boolean };
