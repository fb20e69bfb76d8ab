import type { Activity, Note } from '../../../domain/errors/error-state.ts';
import { presenter } from '../../http/presenter.ts';
import { activitySchema, noteSchema, statusDetailsSchema } from './triage-schema.ts';

const presentEntry = presenter(activitySchema);
const presentOneNote = presenter(noteSchema);

export const presentStatusDetails = presenter(statusDetailsSchema);

export function presentNote(note: Note) {
  return presentOneNote({ ...note, createdAt: note.at });
}

/** Details that an entry of the log does not have. */
const NONE = {
  ...{ release: null, reason: null, noteId: null, errorIds: null },
  ...{ source: null, issueId: null, issueUrl: null, issueTitle: null, agent: null },
};

export function presentActivity({ details, ...entry }: Activity) {
  return presentEntry({ ...entry, ...NONE, ...details, createdAt: entry.at, statusDetails: details.status ?? null });
}
