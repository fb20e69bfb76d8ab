import { STORED_PAYLOAD, removePayloads, type StoredPayload } from '../blocks/payload-removal.ts';
import { continuations } from '../../records/kinds/grouping-kinds.ts';
import { inParallel } from '../batch/deleted-groups.ts';
import type { MongoContext } from '../engine/context.ts';
import { eventIdOf, eventKey, groupHashOf, hexBinary, type Binary } from '../documents/document-keys.ts';
import { WITH_PAYLOAD } from '../documents/documents.ts';
import { errorNoteRange } from '../documents/import-documents.ts';
import { recordKey } from '../documents/record-documents.ts';
import { linkedIssueRange } from '../documents/link-documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { noteRange } from '../status/triage-views.ts';

/** Events whose payloads are removed at a time. */
const EVENTS_AT_ONCE = 1000;

/** Removes what belongs to errors beside what batches count; the keys of their events stay. May be repeated. */
export async function removeErrorData(
  context: MongoContext,
  p: number,
  groups: readonly { readonly _id: Binary; readonly id: number }[],
): Promise<void> {
  const { collections } = context;
  await inParallel(groups, ({ _id }) => removeGroupData(context, p, groupHashOf(_id)));
  const l = { $in: groups.map(({ _id }) => hexBinary(groupHashOf(_id))) };
  await collections.importedEvents.deleteMany({ p, l }, writing('imported_events.delete_of_error'));
  await collections.knownThere.deleteMany({ p, l }, writing('marks.delete_of_error'));
  await removeContinuations(context, p, groups.map(({ _id }) => _id)); // prettier-ignore
  await collections.groupAliases.deleteMany({ p, l }, writing('group_aliases.delete_of_error'));
  const ofErrors = { _id: { $in: groups.map(({ _id }) => _id) }, p };
  await collections.importedErrors.deleteMany(ofErrors, writing('imported_errors.delete'));
  const e = groups.map(({ id }) => String(id));
  await collections.alertFacts.deleteMany({ p, e: { $in: e } }, writing('facts.delete_of_error'));
  await collections.alertArms.deleteMany({ projectId: p, errorId: { $in: e } }, writing('alert_arms.delete_of_error'));
}

/** Removes what mapped events went on with, unless it is dropped from now on: other faults must not be dropped too. */
async function removeContinuations({ collections }: MongoContext, p: number, keys: readonly Binary[]): Promise<void> {
  const l = { $in: keys.map((_id) => hexBinary(groupHashOf(_id))) };
  const aliases = await collections.groupAliases
    .find({ p, l }, reading('group_aliases.of_deleted', { _id: 1 }))
    .toArray();
  const $in = [...keys, ...aliases.map(({ _id }) => _id)];
  const dropped = await collections.discardedHashes
    .find({ _id: { $in }, p }, reading('discarded.of_deleted', { _id: 1 }))
    .toArray();
  const stay = new Set(dropped.map(({ _id }) => groupHashOf(_id)));
  const gone = [...new Set($in.map(groupHashOf))].filter((groupHash) => !stay.has(groupHash));
  const ids = gone.map((groupHash) => recordKey(continuations, { projectId: p, groupHash }));
  await collections.continuations.deleteMany({ _id: { $in: ids } }, writing('continuations.delete_of_error'));
}

async function removeGroupData(context: MongoContext, p: number, groupHash: string): Promise<void> {
  const { collections } = context;
  await removeEvents(context, p, hexBinary(groupHash));
  await collections.ownNotes.deleteMany({ _id: noteRange(p, groupHash), p }, writing('own_notes.delete_of_error'));
  await collections.linkedIssues.deleteMany(
    { _id: linkedIssueRange(p, groupHash), p },
    writing('linked_issues.delete_of_error'),
  );
  await collections.errorNotes.deleteMany(
    { _id: errorNoteRange(p, groupHash), p },
    writing('error_notes.delete_of_error'),
  );
}

/** Removes the payloads of events and their reports; their keys stay, so that a repeat is known. */
async function removeEvents(context: MongoContext, p: number, l: Binary): Promise<void> {
  const { events, eventReports } = context.collections;
  for (;;) {
    const found = (await events
      .find({ p, l, ...WITH_PAYLOAD }, reading('events.to_delete', STORED_PAYLOAD))
      .sort({ at: -1, _id: -1 })
      .limit(EVENTS_AT_ONCE)
      .toArray()) as unknown as StoredPayload[];
    if (found.length === 0) return;
    const { rows } = await removePayloads(context, found, 0);
    const ids = rows.map(({ _id }) => eventKey(p, eventIdOf(_id)));
    await eventReports.deleteMany({ _id: { $in: ids }, p }, writing('reports.delete'));
  }
}
