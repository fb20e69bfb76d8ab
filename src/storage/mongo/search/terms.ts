import type { SingleCondition } from '../../../domain/search/search-condition.ts';
import { fileStart, fileTerm, functionStart, functionTerm } from '../../search/search-terms.ts';
import type { MongoContext } from '../engine/context.ts';
import { ERROR_KEYS } from '../documents/error-indexes.ts';
import { NOTHING, ofErrors, type Lookup } from './lookup.ts';
import { matchingKeys } from './matching-keys.ts';
import { oneOfTexts } from './text-filter.ts';

type TermCondition = Extract<SingleCondition, { readonly field: 'file' | 'function' }>;

/** Finds errors by a file or a function of their first event, or by its beginning. */
export function errorsWithTerm(context: MongoContext, p: number, { field, value, match }: TermCondition): Lookup {
  const isFile = field === 'file';
  const term =
    match === 'prefix' ? (isFile ? fileStart : functionStart)(value) : (isFile ? fileTerm : functionTerm)(value);
  if (term === '') return NOTHING;
  const text = `${isFile ? 'f' : 'n'}:${term}`;
  const filter = match === 'prefix' ? oneOfTexts('tm', [], [{ text, match }]) : oneOfTexts('tm', [text], []);
  return {
    find: (most) => ofErrors(context, p, filter, ERROR_KEYS.byTerm).find(most),
    without: (most) => ofErrors(context, p, { $nor: [filter] }, ERROR_KEYS.byNumber).find(most),
    among: (keys) => matchingKeys(context.collections.errors, keys, { p, ...filter }, 'errors.among'),
  };
}
