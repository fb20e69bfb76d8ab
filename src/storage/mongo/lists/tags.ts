import type { SoughtTag } from '../../sought-tags.ts';
import type { Doc } from '../batch/batch-collections.ts';
import { hex } from '../batch/marked-rows.ts';
import type { MongoContext } from '../context.ts';
import { tagTerm, type ErrorTagsDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';
import { pointersOf, type Lookup } from './lookup.ts';
import { oneOfTexts } from './text-filter.ts';

/** Finds errors with one of the values of a tag. */
export function errorsWithTag(context: MongoContext, p: number, sought: SoughtTag): Lookup {
  const { errorTags } = context.collections;
  const filter = termFilter(sought);
  type Row = Pick<ErrorTagsDocument, '_id'>;
  return {
    async find(limit) {
      const rows = await errorTags
        .find<Row>({ p, ...filter }, reading('tags.sought', { _id: 1 }))
        .limit(limit)
        .toArray();
      return pointersOf(
        context,
        p,
        rows.map(({ _id }) => _id),
      );
    },
    async among(keys) {
      const rows = await errorTags
        .find<Row>({ _id: { $in: [...keys] }, p, ...filter }, reading('tags.among', { _id: 1 }))
        .toArray();
      return new Set(rows.map(({ _id }) => hex(_id)));
    },
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
