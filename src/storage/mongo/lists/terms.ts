import { fileTerm, functionTerm } from '../../search-terms.ts';
import { hex } from '../batch/marked-rows.ts';
import type { MongoContext } from '../context.ts';
import type { ErrorDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';
import { NOTHING, ofErrors, type Lookup } from './lookup.ts';

export function filesWith(context: MongoContext, p: number, path: string): Lookup {
  const term = fileTerm(path);
  return term === '' ? NOTHING : errorsWithTerm(context, p, `f:${term}`);
}

export function functionsWith(context: MongoContext, p: number, name: string): Lookup {
  const term = functionTerm(name);
  return term === '' ? NOTHING : errorsWithTerm(context, p, `n:${term}`);
}

function errorsWithTerm(context: MongoContext, p: number, tm: string): Lookup {
  return {
    find: (limit) => ofErrors(context, p, { tm }).find(limit),
    async among(keys) {
      const rows = await context.collections.errors
        .find<Pick<ErrorDocument, '_id'>>({ _id: { $in: [...keys] }, p, tm }, reading('errors.among', { _id: 1 }))
        .toArray();
      return new Set(rows.map(({ _id }) => hex(_id)));
    },
  };
}
