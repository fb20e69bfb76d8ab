import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
export type Note = Schemas['Note'];
export type Activity = Schemas['Activity'];

const BASE = '/api/v4/projects/{id}/error_tracking/errors/{error_id}';
const on = (project: string, errorId: string) => ({ params: { path: { id: project, error_id: errorId } } });

/** Lists the notes on an error, oldest first. */
export function listNotes(project: string, errorId: string): Promise<Note[]> {
  const path = { id: project, error_id: errorId };
  return allPages((query) => answered(api.GET(`${BASE}/notes`, { params: { path, query } })));
}

export async function addNote(project: string, errorId: string, text: string): Promise<Note> {
  return (await answered(api.POST(`${BASE}/notes`, { ...on(project, errorId), body: { text } }))).data;
}

export async function removeNote(project: string, errorId: string, noteId: string): Promise<void> {
  const path = { id: project, error_id: errorId, note_id: noteId };
  await answered(api.DELETE(`${BASE}/notes/{note_id}`, { params: { path } }));
}

/** Lists what was done with an error, and what happened to it; newest first. */
export async function listActivity(
  project: string,
  errorId: string,
  signal: AbortSignal,
): Promise<readonly Activity[]> {
  return (await answered(api.GET(`${BASE}/activity`, { ...on(project, errorId), signal }))).data;
}

/** Marks an error as looked at, or as not. */
export async function reviewError(project: string, errorId: string, reviewed: boolean): Promise<void> {
  await answered(api.PUT(`${BASE}/review`, { ...on(project, errorId), body: { reviewed } }));
}

/** Deletes an error with all its events. `discard`: its events are dropped in future, too. */
export async function deleteError(project: string, errorId: string, discard: boolean): Promise<void> {
  const path = { id: project, error_id: errorId };
  await answered(api.DELETE(BASE, { params: { path, query: { discard } } }));
}

export type SimilarError = Schemas['SimilarError'];

/** Lists errors that have something in common with an error, those with the most first. */
export async function listSimilar(
  project: string,
  errorId: string,
  signal: AbortSignal,
): Promise<readonly SimilarError[]> {
  return (await answered(api.GET(`${BASE}/similar`, { ...on(project, errorId), signal }))).data;
}

export type ReportOfEvent = Schemas['ReportOfEvent'];

/** Lists what users wrote about the newest stored events of an error, newest first. */
export async function listUserReports(
  project: string,
  errorId: string,
  signal: AbortSignal,
): Promise<readonly ReportOfEvent[]> {
  return (await answered(api.GET(`${BASE}/user_reports`, { ...on(project, errorId), signal }))).data;
}
