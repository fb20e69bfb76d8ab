import type { ErrorNote, ImportedEvent, ImportedRelease } from '../../domain/imports/import.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';
import type { DigestRecord } from '../../integrated/digest/digested-record.ts';
import { encodeText } from '../../lib/bodies/payload-codec.ts';
import { reporterOf } from '../stages/import-notes.ts';
import type { ExportPart } from './export-reader.ts';
import type { ExportRows } from './export-rows.ts';
import { HASH } from './exported-error.ts';
import type { FileRun } from './file-run.ts';
import { type FileRow, formOf, memberOf, textOf, timeOf } from './row-values.ts';
import { Waiting } from './waiting-rows.ts';

/** Rows of events after which the state is saved. */
const SAVE_EVERY = 2000;

export interface EventDeps {
  readonly store: Pick<ImportStore, 'addImportedEvents'>;
  readonly digest: DigestRecord;
  readonly clock: Clock;
}

/** Keeps the bodies of events; goes on after those of a run that was killed. Returns their number. */
export async function takeEvents({ store, digest, clock }: EventDeps, run: FileRun, rows: ExportRows): Promise<number> {
  const projectIds = new Map<string, number>();
  const waiting = new Waiting<string, ImportedEvent>((errorId, events) =>
    store.addImportedEvents(projectIds.get(errorId) ?? 0, errorId, events, clock.now()),
  );
  // A project that was deleted since lost what was written.
  const doneBefore = [...rows.errors.values()].some(({ created }) => created) ? 0 : run.events;
  let [read, count] = [0, 0];
  await rows.each('events', async (row, { text }) => {
    read += 1;
    const own = memberOf(row, '_errgate');
    const what = `event ${textOf(row, 'event_id', 32) ?? ''}`;
    const error = rows.errorOf(own, what);
    if (error === null) return;
    count += 1;
    if (read <= doneBefore) return;
    const event = toEvent(digest, error.projectId, row, text, timeOf(own, 'received') ?? rows.at);
    if (event === null) {
      rows.leaveOut(what, 'it is no valid event');
      return;
    }
    projectIds.set(error.errorId, error.projectId);
    await waiting.add(error.errorId, event);
    if (read % SAVE_EVERY !== 0) return;
    await waiting.flush();
    await run.eventsDone(read);
  });
  await waiting.flush();
  return count;
}

/** Digests the body as one of the service's own; its group is that of the export. */
function toEvent(
  digest: DigestRecord,
  projectId: number,
  row: FileRow,
  text: string,
  receivedAt: number,
): ImportedEvent | null {
  const eventId = formOf(row, 'event_id', HASH);
  const { event } = digest({
    projectId,
    keyId: 0,
    receivedAt,
    eventId,
    sentAt: null,
    clientIp: null,
    client: null,
    outcomes: [],
    // The digest drops members that it does not know.
    body: Buffer.from(text),
  });
  return event === null ? null : { eventId, at: event.at, payload: encodeText(event.payload) };
}

export async function takeReleases(store: Pick<ImportStore, 'putReleases'>, rows: ExportRows): Promise<number> {
  let count = 0;
  const waiting = new Waiting<number, ImportedRelease>((projectId, releases) => store.putReleases(projectId, releases));
  await rows.each('releases', async (row) => {
    const release = textOf(row, 'version', 250);
    const known = rows.projectOf(memberOf(row, '_errgate'), `release ${release ?? ''}`);
    if (known === null || release === null) return;
    count += 1;
    const firstSeen = timeOf(row, 'firstEvent') ?? rows.at;
    await waiting.add(known.project.id, { release, firstSeen, lastSeen: timeOf(row, 'lastEvent') ?? firstSeen });
  });
  await waiting.flush();
  return count;
}

type NotesStore = Pick<ImportStore, 'putNotes'>;

export async function takeComments(store: NotesStore, rows: ExportRows): Promise<number> {
  return takeNotes(store, rows, 'comments', (row, place) => {
    const error = rows.errorOf(memberOf(row, '_errgate'), `comment ${textOf(row, 'id', 64) ?? ''}`);
    const text = textOf(memberOf(row, 'data'), 'text');
    if (error === null || text === null) return null;
    const externalId = textOf(row, 'id', 64) ?? place.slice(0, 64);
    const author = textOf(memberOf(row, 'user'), 'name', 200) ?? '';
    return { error, note: { externalId, author, at: timeOf(row, 'dateCreated') ?? rows.at, text } };
  });
}

/** Takes reports of users over as notes, as the import from a tracker does. Those without a stored event are listed. */
export async function takeReports(store: NotesStore, rows: ExportRows): Promise<number> {
  return takeNotes(store, rows, 'reports', (row) => {
    const own = memberOf(row, '_errgate');
    const id = formOf(own, 'id', HASH);
    const what = `report ${id}`;
    if (rows.projectOf(own, what) === null) return null;
    if (own['error_id'] === null) {
      rows.leaveOut(what, 'the event that it is about was not stored');
      return null;
    }
    const error = rows.errorOf(own, what);
    const given = own['kind'] === 'feedback' ? memberOf(memberOf(row, 'contexts'), 'feedback') : row;
    const text = textOf(given, 'comments') ?? textOf(given, 'message');
    if (text === null) rows.leaveOut(what, 'it has no text');
    if (error === null || text === null) return null;
    const email = textOf(given, 'email', 254) ?? textOf(given, 'contact_email', 254);
    const author = reporterOf(textOf(given, 'name', 200), email);
    return { error, note: { externalId: `report:${id}`, author, at: timeOf(own, 'received') ?? rows.at, text } };
  });
}

interface NoteOfError {
  readonly error: { readonly projectId: number; readonly errorId: string };
  readonly note: ErrorNote;
}

/** Writes the notes of a part; returns their number. `toNote` returns null for a row that is left out. */
async function takeNotes(
  store: NotesStore,
  rows: ExportRows,
  part: ExportPart,
  toNote: (row: FileRow, place: string) => NoteOfError | null,
): Promise<number> {
  const projectIds = new Map<string, number>();
  const waiting = new Waiting<string, ErrorNote>((errorId, notes) =>
    store.putNotes(projectIds.get(errorId) ?? 0, errorId, notes),
  );
  let count = 0;
  await rows.each(part, async (row, { place }) => {
    const found = toNote(row, place);
    if (found === null) return;
    count += 1;
    projectIds.set(found.error.errorId, found.error.projectId);
    await waiting.add(found.error.errorId, found.note);
  });
  await waiting.flush();
  return count;
}
