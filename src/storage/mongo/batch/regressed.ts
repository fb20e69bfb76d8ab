import { STATUS_CODES, type StatusCode } from '../../error-status.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imported-group-hash.ts';
import { RESOLVED_THERE } from '../documents.ts';
import type { Doc } from './batch-collections.ts';

/**
 * Matches resolved errors that occurred again. After a resolution by a person the time of receipt counts; after one in
 * a tracker the time of the event itself, because late copies of old events still arrive.
 */
export const REGRESSED: { readonly st: StatusCode; readonly $or: Doc[] } = {
  st: STATUS_CODES.resolved,
  $or: [
    { $expr: { $lt: ['$res', '$rcv'] } },
    { res: RESOLVED_THERE, v: IMPORTED_GROUPING_VERSION, $expr: { $lt: ['$rat', '$imp.ot'] } },
    // The last occurrence of an imported error may be known to the tracker only.
    { res: RESOLVED_THERE, v: { $gt: IMPORTED_GROUPING_VERSION }, $expr: { $lt: ['$rat', '$last.at'] } },
  ],
};
