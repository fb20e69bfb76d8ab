import { AppError } from '../../domain/app-error.ts';
import type { StatusChange } from '../../domain/errors/error-state.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { ErrorBackend, IntegratedErrors } from '../../domain/ports/error-backend.ts';
import type { ErrorStore } from '../../domain/ports/stores/error-store.ts';
import type { ListStore } from '../../domain/ports/stores/list-store.ts';
import type { TriageStore } from '../../domain/ports/stores/triage-store.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { TrackedErrorDetail } from '../../domain/errors/tracked-error.ts';
import { found } from '../found.ts';
import { addNamedRelease, namedRelease, type NamedReleaseStore } from './named-release.ts';

type Triage = Pick<ErrorBackend, 'setStatus' | 'setStatuses'> &
  Pick<IntegratedErrors, 'assign' | 'notes' | 'addNote' | 'removeNote' | 'activity'> &
  Pick<IntegratedErrors, 'countTabs' | 'matching' | 'review' | 'reviewAll' | 'assignAll' | 'unknown'> &
  Pick<IntegratedErrors, 'remove' | 'removeAll' | 'discarded' | 'restoreDiscarded'>;

type Store = ListStore & TriageStore & Pick<ErrorStore, 'setErrorStatus'> & NamedReleaseStore;

/** Ways to an error, by its own id or one that it had in a former tracker. */
export interface ErrorAccess {
  readonly get: (project: Project, errorId: string) => Promise<TrackedErrorDetail>;
  /** Calls again with the error's own id where the first call found nothing under a former id. */
  readonly underFormerId: <T>(
    project: Project,
    errorId: string,
    call: (errorId: string) => Promise<T | null>,
  ) => Promise<T | null>;
}

/** Creates what people do with errors that errgate stores. */
export function createTriage(store: Store, clock: Clock, { get, underFormerId }: ErrorAccess): Triage {
  /** Adds the release that names the commit of a change, which then applies as a change in that release. */
  async function inReleaseOfCommit<T extends StatusChange>(project: Project, change: T): Promise<T> {
    const release = await namedRelease(store, project.id, change.details);
    return release === null ? change : { ...change, details: { ...change.details, inRelease: release } };
  }

  return {
    async setStatus(project, errorId, status, given) {
      const change = await inReleaseOfCommit(project, given ?? {});
      const set = async (id: string) => {
        if (!(await store.setErrorStatus(project.id, id, status, clock.now(), change))) return null;
        await addNamedRelease(store, project.id, [id], change.details, clock.now());
        return true;
      };
      return found(await underFormerId(project, errorId, set), 'error');
    },
    async setStatuses(project, errorIds, status, given) {
      // A former state is restored as it was.
      const change = given?.from === undefined ? await inReleaseOfCommit(project, given ?? {}) : given;
      const changed = await store.setErrorStatuses(project.id, errorIds, status, clock.now(), change);
      const set = changed.filter(({ skipped }) => !skipped).map(({ errorId }) => errorId);
      await addNamedRelease(store, project.id, set, change.details, clock.now());
      return changed.map(({ errorId, assigneeId: _, ...before }) => ({ errorId, before, failure: null }));
    },
    async assign(project, errorId, assigneeId, userId) {
      const set = async (id: string) =>
        (await store.setAssignee(project.id, id, assigneeId, userId, clock.now())) || null;
      found(await underFormerId(project, errorId, set), 'error');
    },
    assignAll: (project, errorIds, assigneeId, userId, from) =>
      store.setAssignees(project.id, errorIds, assigneeId, userId, clock.now(), from),
    unknown: (project, errorIds) => store.unknownErrors(project.id, errorIds),
    notes: async (project, errorId) =>
      found(await underFormerId(project, errorId, (id) => store.listNotes(project.id, id)), 'error'),
    async addNote(project, errorId, userId, text, agent) {
      const add = (id: string) => store.addNote(project.id, id, userId, text, clock.now(), agent);
      return found(await underFormerId(project, errorId, add), 'error');
    },
    async removeNote(project, errorId, noteId, by) {
      if (noteId.startsWith('imported:')) throw new AppError('forbidden', 'an imported note cannot be deleted');
      const { id } = await get(project, errorId);
      const removal = await store.removeNote(project.id, id, noteId, by, clock.now());
      if (removal === 'not_own') throw new AppError('forbidden', 'only its author and maintainers may delete a note');
      found(removal === 'unknown' ? null : removal, 'note');
    },
    activity: async (project, errorId) =>
      found(await underFormerId(project, errorId, (id) => store.listActivity(project.id, id)), 'error'),
    countTabs: (project, selection) => store.countTabs(project.id, selection, clock.now()),
    matching: (project, selection, after, limit) =>
      store.matchingErrors(project.id, selection, after, limit, clock.now()),
    async review(project, errorId, reviewed) {
      const { id } = await get(project, errorId);
      await store.reviewErrors(project.id, [id], reviewed, clock.now());
    },
    reviewAll: (project, errorIds, reviewed) => store.reviewErrors(project.id, errorIds, reviewed, clock.now()),
    async remove(project, errorId, discard, userId) {
      const remove = async (id: string) =>
        (await store.deleteErrors(project.id, [id], discard, userId, clock.now())) || null;
      found(await underFormerId(project, errorId, remove), 'error');
    },
    removeAll: (project, errorIds, discard, userId) =>
      store.deleteErrors(project.id, errorIds, discard, userId, clock.now()),
    discarded: (project) => store.discardedGroups(project.id),
    async restoreDiscarded(project, id) {
      found((await store.restoreDiscarded(project.id, id)) || null, 'discarded error');
    },
  };
}
