import { createHash } from 'node:crypto';
import type { Delivery } from '../../../domain/alerts/alert-delivery.ts';
import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import { key, type Binary } from './document-keys.ts';

/** Entry of the fact log. Its key is made of the fact's id, so each happening is stored once. */
export interface FactDocument {
  /** Project and hash of the fact's id, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Id of the error. */
  readonly e: string;
  /** 1 while it has no place yet; absent afterwards. */
  readonly w?: 1;
  /** Place in the log; absent before it has one. Set once. */
  readonly seq?: number;
  readonly fact: Omit<NewFact, 'projectId' | 'errorId'>;
  /** Why no destination was told; absent: some were, or it is not decided yet. */
  readonly silence?: string;
  /** Time at which it was added, by the clock of the gateway, and its order among those added at once. */
  readonly added: number;
  readonly o: number;
}

/** Condition of the index `waiting`; queries that use it must repeat it. */
export const WITHOUT_PLACE = { w: 1 } as const;
/** Condition of the index `by_place`; queries that use it must imply it. */
export const WITH_PLACE = { seq: { $gt: 0 } } as const;

export interface DeliveryDocument extends Omit<Delivery, 'id'> {
  readonly _id: string;
  /** Bounds of the places of its facts; absent: it has none. */
  readonly first?: number;
  readonly last?: number;
}

/** Condition of the index `failed`; queries that use it must repeat it. */
export const FAILED = { state: 'failed' } as const;

/** Returns the key of a fact. */
export function factKey({ projectId, id }: Pick<NewFact, 'projectId' | 'id'>): Binary {
  return key(projectId, createHash('sha256').update(id).digest('hex').slice(0, 32), 16);
}

/** Makes the document of a fact that has no place yet. `added`: milliseconds since the epoch. `o`: its order. */
export function factDocument({ projectId, errorId, ...fact }: NewFact, added: number, o: number): FactDocument {
  return { _id: factKey({ projectId, id: fact.id }), p: projectId, e: errorId, w: 1, fact, added, o };
}
