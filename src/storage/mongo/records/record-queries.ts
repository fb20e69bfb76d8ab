import { snakeCase, type Reference } from '../../records/kind.ts';
import type { QueryName } from '../engine/query-name.ts';

/** What queries of records ask, for their names. */
export const RECORD_QUERIES = [
  'get',
  'find',
  'list',
  'count',
  'insert',
  'put',
  'change',
  'remove',
  'removeAll',
  'surplus',
  'undo',
  'sweep',
] as const;
type RecordQuery = (typeof RECORD_QUERIES)[number];

export function recordQuery({ name }: Reference<never>, query: RecordQuery): QueryName {
  return `${snakeCase(name)}.${query}` as QueryName;
}
