import { hex } from '../batch/marked-rows.ts';
import type { MongoContext } from '../context.ts';
import { tagTerm, type ErrorTagsDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';
import { pointersOf, type Lookup } from './lookup.ts';

/** Finds errors with a tag; `value` null: with any value. */
export function errorsWithTag(context: MongoContext, p: number, tagKey: string, value: string | null): Lookup {
  const { errorTags } = context.collections;
  const x = tagTerm(tagKey, value);
  type Row = Pick<ErrorTagsDocument, '_id'>;
  return {
    async find(limit) {
      const rows = await errorTags
        .find<Row>({ p, x }, reading('tags.sought', { _id: 1 }))
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
        .find<Row>({ _id: { $in: [...keys] }, p, x }, reading('tags.among', { _id: 1 }))
        .toArray();
      return new Set(rows.map(({ _id }) => hex(_id)));
    },
  };
}
