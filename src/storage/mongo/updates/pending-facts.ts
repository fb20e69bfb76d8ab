import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import { onlyEnvironment, type FactOrigin, type FactSubject } from '../../alerts/facts.ts';
import { groupHashOf } from '../documents/document-keys.ts';
import type { ErrorDocument, PendingFact } from '../documents/error-documents.ts';
import { markOf, setMarks } from './marks.ts';

/** Maximum facts that wait in one error; the oldest are dropped. Some gateway collects them every few seconds. */
const MAX_PENDING = 100;

/** Members of an error that its facts tell. */
export const FACT_MEMBERS = {
  ...{ 'last.at': 1, 'last.type': 1, 'last.message': 1, 'last.title': 1, 'last.culprit': 1, 'last.level': 1 },
  ...{ 'last.release': 1, env: 1, 'g.last.type': 1, 'g.last.message': 1, 'g.last.title': 1, 'g.last.culprit': 1 },
  ...{ 'g.last.level': 1, 'g.last.release': 1, 'g.env': 1 },
} as const;

type Told = Pick<ErrorDocument, '_id' | 'p' | 'id' | 'last' | 'env' | 'g'>;

export function toPending({ projectId: _projectId, errorId: _errorId, ...fact }: NewFact): PendingFact {
  return fact;
}

/** Members of a new error that leave a fact with it, and set its mark. */
export function pendingMembers(fact: NewFact): Pick<ErrorDocument, 'pf' | 'pn' | 'ask'> {
  return { pf: [toPending(fact)], pn: 1, ...markOf(fact) };
}

/** Operators that leave a fact with its error, and set its mark; of a merge root also in its displayed row. */
export function leaving(fact: NewFact, isRoot: boolean): { readonly $push: object; readonly $set: object } {
  return {
    $push: { pf: { $each: [toPending(fact)], $slice: -MAX_PENDING } },
    $set: { pn: 1, dq: 1, ...setMarks(fact, isRoot) },
  };
}

/** Returns what facts say of an error as it is shown. */
export function subjectOf({ _id, p, id, last, g }: Told): FactSubject {
  const { type, title, message, culprit, level } = g?.last ?? last;
  return { projectId: p, errorId: String(id), groupHash: groupHashOf(_id), type, title, message, culprit, level };
}

/** Returns what a fact without an event of its own says: the newest release, and the environment of all events. */
export function originOf({ last, env, g }: Told): FactOrigin {
  return { release: (g?.last ?? last).release, environment: onlyEnvironment((g === undefined ? env : g.env) ?? []) };
}
