import type { Activity, Note, NoteRemoval, NoteRemover } from '../../errors/error-state.ts';

/**
 * What people do with errors beside their status. The id of a merged error means its root; notes and activities of a
 * merged error are those of all its members.
 */
export interface TriageStore {
  /**
   * Assigns an error to a member of the project; null: to nobody. False when the error is unknown. Throws `bad_request`
   * when the user is no member. A member that is removed from the project is unassigned.
   */
  setAssignee(
    projectId: number,
    errorId: string,
    assigneeId: number | null,
    userId: number | null,
    now: number,
  ): Promise<boolean>;
  /** Null when the error is unknown. Throws `conflict` beyond MAX_NOTES_OF_ERROR. `agent`: see `StatusChange`. */
  addNote(
    projectId: number,
    errorId: string,
    userId: number,
    text: string,
    now: number,
    agent?: string,
  ): Promise<Note | null>;
  /** All notes of people and the newest imported ones, oldest first. Null when the error is unknown. */
  listNotes(projectId: number, errorId: string): Promise<Note[] | null>;
  removeNote(projectId: number, errorId: string, noteId: string, by: NoteRemover, now: number): Promise<NoteRemoval>;
  /** The newest MAX_ACTIVITY, newest first. Null when the error is unknown. */
  listActivity(projectId: number, errorId: string): Promise<Activity[] | null>;
  /**
   * Makes errors unresolved that were ignored until a time that has passed. Each ends once, also when gateways call it
   * at the same time. Returns their number, at most 1,000 per call; the next call goes on.
   */
  endMutes(now: number): Promise<number>;
}
