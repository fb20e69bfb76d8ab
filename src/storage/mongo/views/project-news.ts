import { NEW_FOR_MS } from '../../../domain/error-marks.ts';
import { MAX_NEWS, type ProjectNews } from '../../../domain/project-news.ts';
import { STATUS_CODES } from '../../error-status.ts';
import type { MongoContext } from '../context.ts';
import type { ErrorDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';
import type { QueryName } from '../query-names.ts';

/** Reads indexes of first occurrences, regressions and last occurrences; see the port. */
export async function projectNews(context: MongoContext, p: number, now: number): Promise<ProjectNews> {
  const { errors } = context.collections;
  const after = { $gt: now - NEW_FOR_MS };
  const count = (filter: object, name: QueryName) =>
    errors.countDocuments({ p, ...filter }, { ...reading(name), limit: MAX_NEWS });
  const unresolved = { st: STATUS_CODES.unresolved };
  const newest = (member: 'last.at' | 'g.last.at', filter: object, name: QueryName) =>
    Object.values(STATUS_CODES).map((st) =>
      errors
        .find<Pick<ErrorDocument, 'last'>>({ p, st, ...filter }, reading(name, { 'last.at': 1 }))
        .sort({ [member]: -1, id: -1 })
        .limit(1)
        .toArray(),
    );
  const [fresh, freshMerged, regressed, rows] = await Promise.all([
    count({ ...unresolved, into: null, 'first.at': after }, 'errors.new_lately'),
    count({ ...unresolved, g: { $exists: true }, 'g.first.at': after }, 'errors.merged_new_lately'),
    count(
      { 'reg.at': after, ...unresolved, $or: [{ into: null }, { g: { $exists: true } }] },
      'errors.regressed_lately',
    ),
    Promise.all([
      ...newest('last.at', { into: null }, 'errors.newest'),
      ...newest('g.last.at', { g: { $exists: true } }, 'errors.merged_newest'),
    ]),
  ]);
  const times = rows.flat().map(({ last }) => last.at);
  return {
    newErrors: Math.min(MAX_NEWS, fresh + freshMerged),
    regressed,
    lastSeen: times.length === 0 ? null : Math.max(...times),
  };
}
