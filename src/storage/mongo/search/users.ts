import type { MongoContext } from '../engine/context.ts';
import { hex } from '../batch/marked-rows.ts';
import { errorKey, errorUserKey, groupHashOf, hexBinary } from '../documents/document-keys.ts';
import type { ErrorUserDocument } from '../documents/error-documents.ts';
import { reading } from '../engine/operation-options.ts';
import { atMost, NOTHING, pointersOf, type Lookup } from './lookup.ts';
import { usersNamed } from './user-names.ts';

/** Finds errors by one of their affected users: id, e-mail address, user name or IP address. */
export async function errorsOfUser(context: MongoContext, p: number, name: string): Promise<Lookup> {
  const hashes = await usersNamed(context, p, name);
  if (hashes.length === 0) return NOTHING;
  const { errorUsers } = context.collections;
  type Row = Pick<ErrorUserDocument, '_id'>;
  return {
    async find(most) {
      const asked = { p, h: { $in: hashes.map(hexBinary) } };
      const rows = await atMost(errorUsers.find<Row>(asked, reading('error_users.of_user', { _id: 1 })), most);
      const keys = rows?.map(({ _id }) => errorKey(p, groupHashOf(_id)));
      return keys === undefined ? null : pointersOf(context, p, keys);
    },
    async among(keys) {
      const rowKeys = keys.flatMap((_id) => hashes.map((userHash) => errorUserKey(p, groupHashOf(_id), userHash)));
      const rows = await errorUsers
        .find<Row>({ _id: { $in: rowKeys }, p }, reading('error_users.among', { _id: 1 }))
        .batchSize(rowKeys.length)
        .toArray();
      return new Set(rows.map(({ _id }) => hex(errorKey(p, groupHashOf(_id)))));
    },
  };
}
