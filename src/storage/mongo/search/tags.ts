import { soughtAddress, type AddressCondition } from '../../search/address-terms.ts';
import type { SoughtTag } from '../../search/sought-tags.ts';
import type { Doc } from '../engine/batch-collections.ts';
import { hex } from '../batch/marked-rows.ts';
import { COLLECTIONS } from '../engine/collections.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ErrorTagsDocument } from '../documents/error-documents.ts';
import { tagTerm } from '../documents/tag-terms.ts';
import { reading } from '../engine/operation-options.ts';
import { projectRange } from '../engine/project-range.ts';
import { atMost, NOTHING, pointersOf, type Lookup } from './lookup.ts';
import { matchingKeys } from './matching-keys.ts';
import { oneOfTexts } from './text-filter.ts';

/** Finds errors with one of the values of a tag. */
export function errorsWithTag(context: MongoContext, p: number, sought: SoughtTag): Lookup {
  return errorsWithTerms(context, p, termFilter(sought));
}

/** Finds errors by the host or the path of the address of any event. */
export function errorsWithAddress(context: MongoContext, p: number, condition: AddressCondition): Lookup {
  const sought = soughtAddress(condition);
  if (sought === null) return NOTHING;
  const starts = sought.starts.map((text) => ({ text, match: 'prefix' as const }));
  return errorsWithTerms(context, p, oneOfTexts('x', sought.values, starts));
}

/** Finds errors by a filter of the terms of their tags. */
function errorsWithTerms(context: MongoContext, p: number, filter: Doc): Lookup {
  const { errorTags, importedErrors } = context.collections;
  type Row = Pick<ErrorTagsDocument, '_id'>;
  return {
    async find(most) {
      const rows = await atMost(errorTags.find<Row>({ p, ...filter }, reading('tags.sought', { _id: 1 })), most);
      const keys = rows?.map(({ _id }) => _id);
      return keys === undefined ? null : pointersOf(context, p, keys);
    },
    async without(most) {
      // All documents of the project are looked at, which have a key each but many terms.
      const filtered = { _id: projectRange(p, COLLECTIONS.errorTags.keyBytes), $nor: [filter], p };
      // The digest gives each event the tag `level`, so only imported errors may have no tags.
      const found = await Promise.all([
        atMost(errorTags.find<Row>(filtered, reading('tags.lacking', { _id: 1 })).hint({ _id: 1 }), most),
        atMost(importedErrors.find<Row>({ p }, reading('imported_errors.keys', { _id: 1 })), most),
      ]);
      if (found.includes(null)) return null;
      const keys = new Map(found.flatMap((rows) => (rows ?? []).map(({ _id }) => [hex(_id), _id] as const)));
      return keys.size > most ? null : pointersOf(context, p, [...keys.values()]);
    },
    among: (keys) => matchingKeys(errorTags, keys, { p, ...filter }, 'tags.among'),
  };
}

/** Returns the filter of the terms by which the index finds tags. */
function termFilter({ key, any, values, starts }: SoughtTag): Doc {
  if (any) return { x: tagTerm(key, null) };
  return oneOfTexts(
    'x',
    values.map((value) => tagTerm(key, value)),
    starts.map(({ text, match }) => ({ text: tagTerm(key, text), match })),
  );
}
