import type { AuditValues } from '../../../audit/audit-values.ts';
import type { AuditEntity } from '../../../domain/audit/audit-event.ts';
import type { AuditEventName } from '../../../domain/audit/audit-events.ts';

/** What a request changes, as it is now. */
export interface AuditedThing {
  readonly id: number | string | null;
  /** As people know it, without secrets. */
  readonly name: string;
  /** Values that the log compares before and after; only those named here get into it. Absent: it has none. */
  readonly values?: AuditValues;
  /** What it belongs to. Absent: the project of the request, else the user. */
  readonly entity?: AuditEntity;
}

/** How the thing that a request changes is read, before and after the change. */
export interface AuditTarget<C> {
  /** `Member`, `Client key`. */
  readonly type: string;
  /**
   * Null: there is none, not yet or not any more. `made`: body of the answer, which has the id of what was made; null
   * before.
   */
  read(call: C, made: unknown): Promise<AuditedThing | null>;
}

/** Change that the runner of routes writes to the audit log. */
export interface AuditedChange<C> {
  readonly event: AuditEventName;
  readonly target: AuditTarget<C>;
  /** For routes that do several things. `else`: why the others are not in the log. */
  readonly only?: { when(call: C): boolean; readonly else: string };
}

/** What a route that may change something says about the audit log. */
export type Audit<C> =
  | AuditedChange<C>
  /** The handler writes these, because only it knows who acts. */
  | { readonly byHandler: readonly AuditEventName[] }
  /** Reason why it is not in the log. */
  | { readonly not: string };

/** Reasons of several routes. */
export const OWN_VIEW = { not: 'changes only what the caller sees' } as const;
export const IN_ACTIVITY = { not: 'the activity of the error has it, with the person and the time' } as const;
export const CHANGES_NOTHING = { not: 'asks another service and saves nothing' } as const;
export const FROM_BUILDS = { not: 'content that builds send, as SDKs send events; its page lists it' } as const;
