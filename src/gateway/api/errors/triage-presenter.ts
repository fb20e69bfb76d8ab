import type { Activity, Note, Person, StatusDetails } from '../../../domain/error-state.ts';
import { isoTime } from '../../http/iso-time.ts';

export function presentStatusDetails(details: StatusDetails | null) {
  if (details === null) return {};
  const { ignoreUntil, ...rest } = details;
  return { ...rest, ...(ignoreUntil === undefined ? {} : { ignoreUntil: isoTime(ignoreUntil) }) };
}

export function presentPerson(person: Person | null) {
  return person === null ? null : { id: person.id, username: person.username, name: person.name };
}

export function presentNote(note: Note) {
  return {
    id: note.id,
    author: presentPerson(note.author),
    author_name: note.authorName,
    created_at: isoTime(note.at),
    text: note.text,
    imported: note.imported,
  };
}

export function presentActivity({ at, kind, user, assignee, details }: Activity) {
  return {
    created_at: isoTime(at),
    kind,
    user: presentPerson(user),
    status_details: details.status === undefined ? null : presentStatusDetails(details.status),
    release: details.release ?? null,
    reason: details.reason ?? null,
    assignee: presentPerson(assignee),
    note_id: details.noteId ?? null,
    error_ids: details.errorIds ?? null,
    source: details.source ?? null,
    issue_id: details.issueId ?? null,
    issue_url: details.issueUrl ?? null,
    issue_title: details.issueTitle ?? null,
  };
}
