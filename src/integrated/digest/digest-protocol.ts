import type { ErrorCode } from '../../domain/app-error.ts';
import type { ProjectProtection } from '../../domain/ingest/protection-overrides.ts';
import type { StopRequest } from '../../lib/thread.ts';
import type { JournalPosition } from '../intake/journal/segment.ts';
import type { DigestProgress } from './loop/digest-loop-options.ts';

/** Messages from the main thread. */
export type DigestRequest =
  | { readonly kind: 'advance'; readonly position: JournalPosition }
  /** Protection settings of all projects. They apply to every record of a later `advance`. */
  | { readonly kind: 'protect'; readonly protections: readonly ProjectProtection[] }
  /** Request answered by `idle` when everything up to the last `advance` is in the store. */
  | { readonly kind: 'report_idle' }
  | StopRequest;

/** Messages to the main thread. */
export type DigestNotice =
  /** The store does not answer; the thread retries. */
  | { readonly kind: 'away'; readonly reason: string }
  /** The store cannot be used, or does not answer and the thread may not wait. The thread ends. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly reason: string }
  /** The store is open and migrated. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: DigestProgress }
  | { readonly kind: 'quarantined'; readonly count: number }
  | { readonly kind: 'dropped'; readonly category: string; readonly reason: string; readonly quantity: number }
  /** Frames of an event that were looked up. */
  | { readonly kind: 'frames'; readonly mapped: number; readonly unmapped: number; readonly skipped: number }
  /** An event of which a part is mapped was grouped as it was sent. */
  | { readonly kind: 'grouped_as_sent' }
  /** Requests to be forwarded that the disk did not take. */
  | { readonly kind: 'forwards_unwritten'; readonly count: number }
  /** Reason why no event gets into the store; null after recovery. */
  | { readonly kind: 'held_up'; readonly reason: string | null }
  | { readonly kind: 'idle'; readonly drained: boolean };
