import type { AliasResult, NewAlias } from '../../../domain/imports/import.ts';
import { parseErrorId } from '../../errors/error-id.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorKey, groupHashOf, hexBinary, eventIdOf } from '../documents/document-keys.ts';
import { WITH_PAYLOAD } from '../documents/documents.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { membersOf, type GroupRow } from '../errors/error-groups.ts';
import type { GroupAliasDocument } from '../documents/import-documents.ts';
import { requireImported } from '../errors/imported-rows.ts';
import { EVENT_IDS_LOOKED_UP, MAX_IMPORT_ROWS } from '../../limits.ts';

type Rooted = Pick<ErrorDocument, '_id' | 'id' | 'into' | 'v'>;
const ROOTED = { id: 1, into: 1, v: 1 } as const;
const rootOf = ({ id, into }: Rooted): number => into ?? id;

export async function addAliases(
  context: MongoContext,
  p: number,
  errorId: string,
  aliases: readonly NewAlias[],
  now: number,
): Promise<AliasResult[]> {
  const { row, group } = await requireImported(context, p, errorId);
  const root = (group.root as { readonly id: number }).id;
  const results: AliasResult[] = [];
  for (const alias of aliases) results.push(await addAlias(context, p, { row, root }, alias, now));
  return results;
}

/** The alias is written before an error of its own is looked for: a batch that has begun one is seen then or later. */
async function addAlias(
  context: MongoContext,
  p: number,
  { row, root }: { readonly row: Rooted; readonly root: number },
  { groupHash, groupingVersion, origin, weak, takesOver, isFormer }: NewAlias,
  now: number,
): Promise<AliasResult> {
  const { groupAliases } = context.collections;
  const _id = errorKey(p, groupHash);
  const l = hexBinary(groupHashOf(row._id));
  let known = await groupAliases.findOne({ _id, p }, reading('group_aliases.by_id'));
  /** Error of this store that another group hash has begun, and that counts events of this one. */
  let begun: Rooted | null = null;
  const unused = isFormer === true && (await errorWith(context, p, _id)) === null;
  if (unused && known === null) return { kind: 'absent' };
  if (known === null) {
    const alias: GroupAliasDocument = { _id, p, l, v: groupingVersion, o: origin, wk: weak, t: now, end: null };
    try {
      await groupAliases.insertOne(alias, writing('group_aliases.insert'));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      known = await groupAliases.findOne({ _id, p }, reading('group_aliases.by_id'));
    }
  }
  if (known !== null) {
    if (known.end !== null) return { kind: 'ended' };
    const target = await errorWith(context, p, errorKey(p, known.l.toString('hex')));
    if (target !== null && target.v !== IMPORTED_GROUPING_VERSION) {
      begun = target;
    } else if (target === null ? known.lv !== undefined : rootOf(target) !== root) {
      if (unused) return { kind: 'absent' };
      const taken: AliasResult | null = target === null ? null : { kind: 'taken', errorId: String(target.id) };
      if (taken !== null && takesOver !== true) return taken;
      const filter = { _id, p, l: known.l, end: null };
      const change = { $set: { l, o: origin, wk: weak, t: now }, $unset: { lv: true as const } };
      const { matchedCount } = await groupAliases.updateOne(filter, change, writing('group_aliases.move'));
      if (matchedCount === 0) return taken ?? { kind: 'ended' };
      known = null;
    }
  }
  const own = (await errorWith(context, p, _id)) ?? begun;
  if (own !== null && rootOf(own) !== root) return { kind: 'own_error', errorId: String(own.id) };
  return { kind: known === null ? 'added' : 'kept' };
}

function errorWith({ collections }: MongoContext, p: number, _id: GroupRow['_id']): Promise<Rooted | null> {
  return collections.errors.findOne<Rooted>({ _id, p }, reading('errors.by_id', ROOTED));
}

export async function endAlias({ collections, now }: MongoContext, p: number, groupHash: string): Promise<boolean> {
  const filter = { _id: errorKey(p, groupHash), p, end: null };
  const { modifiedCount } = await collections.groupAliases.updateOne(
    filter,
    { $set: { end: now() } },
    writing('group_aliases.end'),
  );
  return modifiedCount > 0;
}

/** Walks all aliases of the project. Their keys are those of the errors looked for. */
export async function unmergedAliases(
  context: MongoContext,
  p: number,
): Promise<{ errorId: string; ownErrorId: string }[]> {
  const { collections } = context;
  const found: { imported: number; own: number }[] = [];
  let after: Pick<GroupAliasDocument, '_id' | 'l'> | null = null;
  while (found.length < MAX_IMPORT_ROWS) {
    const behind: object =
      after === null ? {} : { $or: [{ l: { $gt: after.l } }, { l: after.l, _id: { $gt: after._id } }] };
    const page: Pick<GroupAliasDocument, '_id' | 'l' | 'end'>[] = await collections.groupAliases
      .find({ p, ...(after === null ? {} : { l: { $gte: after.l } }), ...behind })
      .project<Pick<GroupAliasDocument, '_id' | 'l' | 'end'>>({ l: 1, end: 1 })
      .comment('group_aliases.walk')
      .sort({ l: 1, _id: 1 })
      .limit(MAX_IMPORT_ROWS)
      .toArray();
    const active = page.filter(({ end }) => end === null);
    const keys = active.flatMap(({ _id, l }) => [_id, errorKey(p, l.toString('hex'))]);
    const rows = await collections.errors
      .find<Rooted>({ _id: { $in: keys }, p }, reading('errors.aliased', ROOTED))
      .toArray();
    const errors = new Map(rows.map((row) => [row._id.toString('hex'), row]));
    for (const { _id, l } of active) {
      const own = errors.get(_id.toString('hex'));
      const imported = errors.get(errorKey(p, l.toString('hex')).toString('hex'));
      if (own === undefined || imported?.v !== IMPORTED_GROUPING_VERSION || rootOf(own) === rootOf(imported)) continue;
      found.push({ imported: imported.id, own: own.id });
    }
    after = page.at(-1) ?? null;
    if (page.length < MAX_IMPORT_ROWS) break;
  }
  found.sort((a, b) => a.imported - b.imported || a.own - b.own);
  return found
    .slice(0, MAX_IMPORT_ROWS)
    .map(({ imported, own }) => ({ errorId: String(imported), ownErrorId: String(own) }));
}

export async function errorsToLookUp(
  context: MongoContext,
  p: number,
  after: string | null,
  limit: number,
): Promise<{ errorId: string; eventIds: string[] }[]> {
  const { collections } = context;
  const rows: Rooted[] = [];
  let from = after === null ? 0 : (parseErrorId(after) ?? 0);
  for (let more = true; more && rows.length < limit;) {
    const page = await collections.errors
      .find<Rooted>({ p, id: { $gt: from } }, reading('errors.walk', ROOTED))
      .sort({ id: 1 })
      .limit(MAX_IMPORT_ROWS)
      .toArray();
    const roots = [...new Set(page.flatMap(({ into }) => into ?? []))];
    const members = roots.length === 0 ? [] : await membersOf(context, p, roots);
    const joined = new Set(members.flatMap(({ v, into }) => (v === IMPORTED_GROUPING_VERSION ? [into] : [])));
    rows.push(...page.filter(({ v, into }) => v !== IMPORTED_GROUPING_VERSION && !(into !== null && joined.has(into))));
    from = page.at(-1)?.id ?? from;
    more = page.length === MAX_IMPORT_ROWS;
  }
  return Promise.all(
    rows.slice(0, limit).map(async ({ _id, id }) => {
      const events = await collections.events
        .find({ p, l: hexBinary(groupHashOf(_id)), ...WITH_PAYLOAD }, reading('events.to_look_up', { _id: 1 }))
        .sort({ at: -1, _id: -1 })
        .limit(EVENT_IDS_LOOKED_UP)
        .toArray();
      return { errorId: String(id), eventIds: events.map((event) => eventIdOf(event._id)) };
    }),
  );
}
