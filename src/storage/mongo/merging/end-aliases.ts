import { errorKey, type Binary } from '../documents/document-keys.ts';
import { duplicatesIn } from '../batch/answers.ts';
import { hex } from '../batch/marked-rows.ts';
import { byNumber, type MemberDocument } from './members.ts';
import type { RollUpDeps } from './roll-up.ts';

/**
 * Ends the aliases that joined errors which a person separates, so that no further pass merges them again. `leaving`:
 * the separated ones of `members`, which does not hold the root.
 */
export async function endAliasesBetween(
  { collections, now }: RollUpDeps,
  p: number,
  root: number,
  leaving: readonly MemberDocument[],
  members: readonly MemberDocument[],
): Promise<void> {
  if (leaving.length === 0) return;
  const all = [...(await byNumber(collections.errors, p, [root])), ...members];
  const keys = all.map(({ _id }) => _id);
  const aliases = (await collections.groupAliases.find(
    { _id: { $in: keys }, p, end: null },
    { l: 1 },
    'local',
    'group_aliases.of_members',
  )) as unknown as { readonly _id: Binary; readonly l: Binary }[];
  const known = new Set(keys.map(hex));
  const separated = new Set(leaving.map(({ _id }) => hex(_id)));
  const ended = aliases.filter(({ _id, l }) => {
    const [own, imported] = [hex(_id), hex(errorKey(p, hex(l)))];
    if (own === imported || !known.has(imported)) return false;
    return separated.has(own) || separated.has(imported);
  });
  if (ended.length === 0) return;
  const filter = { _id: { $in: ended.map(({ _id }) => _id) }, p };
  duplicatesIn(await collections.groupAliases.updateMany(filter, { $set: { end: now() } }));
}
