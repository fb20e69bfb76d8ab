import type { ErrorNote, ImportedEvent, ImportedRelease } from '../../domain/imports/import.ts';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';
import type { DigestRecord } from '../../integrated/digest/digested-record.ts';
import { encodeText } from '../../lib/bodies/payload-codec.ts';
import { reporterOf } from '../stages/import-notes.ts';
import type { ImportDeps } from '../import-run.ts';
import { leaveOut } from '../state/left-outs.ts';
import type { ExportContext, ExportRows, KnownError } from './export-rows.ts';
import { HASH } from './exported-error.ts';
import { type FileRow, formOf, memberOf, textOf, timeOf } from './row-values.ts';
import { Waiting } from './waiting-rows.ts';

/** Rows of events after which the state is saved. */
const SAVE_EVERY = 2000;

/** Returns the place behind a number of rows of events; it holds for this file alone. */
export function eventCursor(file: string, rows: number): string {
  return `${file}:${rows}`;
}

/** Returns the number of rows of events that are done; 0 for a place in another file. */
function rowsBefore(file: string, cursor: string | null): number {
  const [of, rows] = cursor?.split(':') ?? [];
  return of === file ? Number(rows) : 0;
}

/** Keeps the bodies of events. Of each project, it goes on after those of a run that was killed. */
export async function takeEvents({ store, digest, clock }: ImportDeps, rows: ExportRows): Promise<void> {
  const file = rows.reader.hash;
  const waiting = new Waiting<KnownError, ImportedEvent>(({ context, errorId }, events) =>
    store.addImportedEvents(context.projectId, errorId, events, clock.now()),
  );
  const doneBefore = new Map(
    [...rows.projects.values()].map((context) => [context, rowsBefore(file, context.state.events.cursor)]),
  );
  for (const [{ state }, before] of doneBefore) if (before === 0) delete state.leftEvents;
  /** Projects with rows since the last save. */
  const unsaved = new Set<ExportContext>();
  let read = 0;
  let saved = 0;
  const save = async (): Promise<void> => {
    await waiting.flush();
    for (const context of unsaved) {
      context.state.events.cursor = eventCursor(file, read);
      await context.stepDone();
    }
    unsaved.clear();
    saved = read;
  };
  await rows.each('events', async (row, { text }) => {
    if (read - saved >= SAVE_EVERY) await save();
    read += 1;
    const own = memberOf(row, '_errgate');
    const what = `event ${textOf(row, 'event_id', 32) ?? ''}`;
    const error = rows.errorOf(own, what);
    if (error === null) return;
    const { context } = error;
    context.stage('events').done += 1;
    if (read <= (doneBefore.get(context) ?? 0)) return;
    const event = toEvent(digest, context.projectId, row, text, timeOf(own, 'received') ?? rows.at);
    unsaved.add(context);
    if (event === null) {
      const { state, slug } = context;
      leaveOut((state.leftEvents ??= { items: [], more: 0 }), slug, what, 'it is no valid event');
      return;
    }
    await waiting.add(error, event);
  });
  await waiting.flush();
  for (const { state } of rows.projects.values()) {
    const { items, more } = state.leftEvents ?? { items: [], more: 0 };
    for (const { project, what, reason } of items) leaveOut(state.leftOut, project, what, reason);
    state.leftOut.more += more;
  }
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

export async function takeReleases(store: Pick<ImportStore, 'putReleases'>, rows: ExportRows): Promise<void> {
  const waiting = new Waiting<number, ImportedRelease>((projectId, releases) => store.putReleases(projectId, releases));
  await rows.each('releases', async (row) => {
    const release = textOf(row, 'version', 250);
    const context = rows.projectOf(memberOf(row, '_errgate'), `release ${release ?? ''}`);
    if (context === null || release === null) return;
    context.stage('releases').done += 1;
    const firstSeen = timeOf(row, 'firstEvent') ?? rows.at;
    await waiting.add(context.projectId, { release, firstSeen, lastSeen: timeOf(row, 'lastEvent') ?? firstSeen });
  });
  await waiting.flush();
}

type NotesStore = Pick<ImportStore, 'putNotes'>;

export async function takeComments(store: NotesStore, rows: ExportRows): Promise<void> {
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
export async function takeReports(store: NotesStore, rows: ExportRows): Promise<void> {
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
  readonly error: KnownError;
  readonly note: ErrorNote;
}

/** Writes the notes of a part. `toNote` returns null for a row that is left out. */
async function takeNotes(
  store: NotesStore,
  rows: ExportRows,
  part: 'comments' | 'reports',
  toNote: (row: FileRow, place: string) => NoteOfError | null,
): Promise<void> {
  const waiting = new Waiting<KnownError, ErrorNote>(({ context, errorId }, notes) =>
    store.putNotes(context.projectId, errorId, notes),
  );
  await rows.each(part, async (row, { place }) => {
    const found = toNote(row, place);
    if (found === null) return;
    found.error.context.stage(part).done += 1;
    await waiting.add(found.error, found.note);
  });
  await waiting.flush();
}
