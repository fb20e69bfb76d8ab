import { AppError } from '../../../domain/app-error.ts';
import { isPlainErrorId } from '../../http/path-ids.ts';
import { MAX_IDS } from './error-schema.ts';

/**
 * Returns the ids of errors in `ids` of a body; null without the member. Throws `invalid_parameter` for anything but a
 * list of ids.
 */
export function errorIdsOf(rawParameters: Readonly<Record<string, unknown>>): string[] | null {
  const { ids } = rawParameters;
  if (ids === undefined || ids === null) return null;
  if (!Array.isArray(ids)) throw new AppError('invalid_parameter', 'ids is invalid: give a list of error ids');
  if (ids.length === 0) throw new AppError('invalid_parameter', 'ids is empty');
  if (ids.length > MAX_IDS) throw new AppError('invalid_parameter', `ids has more than ${MAX_IDS} entries`);
  return ids.map((id: unknown) => {
    const text = typeof id === 'number' ? String(id) : id;
    if (typeof text !== 'string' || !isPlainErrorId(text)) throw new AppError('invalid_parameter', 'ids is invalid');
    return text;
  });
}
