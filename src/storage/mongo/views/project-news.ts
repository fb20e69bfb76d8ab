import { NEW_FOR_MS } from '../../../domain/error-marks.ts';
import { MAX_NEWS, type ProjectNews } from '../../../domain/project-news.ts';
import { STATUS_CODES } from '../../error-status.ts';
import type { MongoContext } from '../context.ts';
import { ERROR_KEYS, orderKey, type IndexKey } from '../error-indexes.ts';
import { reading } from '../operation-options.ts';
import type { QueryName } from '../query-names.ts';
import { lastSeen } from './newest-errors.ts';

/** Reads indexes of first occurrences, regressions and last occurrences; see the port. */
export async function projectNews(context: MongoContext, p: number, now: number): Promise<ProjectNews> {
  const { errors } = context.collections;
  const after = { $gt: now - NEW_FOR_MS };
  const count = (filter: object, name: QueryName, index: IndexKey) =>
    errors.countDocuments({ p, ...filter }, { ...reading(name), hint: index, limit: MAX_NEWS });
  const unresolved = { st: STATUS_CODES.unresolved };
  const [fresh, freshMerged, regressed, newest] = await Promise.all([
    count({ ...unresolved, 'first.at': after, into: null }, 'errors.new_lately', orderKey('first.at')),
    count(
      { ...unresolved, 'g.first.at': after, g: { $exists: true } },
      'errors.merged_new_lately',
      orderKey('g.first.at'),
    ),
    count(
      { 'reg.at': after, ...unresolved, $or: [{ into: null }, { g: { $exists: true } }] },
      'errors.regressed_lately',
      ERROR_KEYS.regressed,
    ),
    lastSeen(context, p),
  ]);
  return {
    newErrors: Math.min(MAX_NEWS, fresh + freshMerged),
    regressed,
    lastSeen: newest,
  };
}
