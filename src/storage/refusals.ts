import { AppError } from '../domain/app-error.ts';
import { MAX_CHANNELS } from '../domain/alerts/alert-channel.ts';
import { MAX_GROUPS_OF_USER } from '../domain/projects/group.ts';
import { MAX_INVITATIONS } from '../domain/projects/invitation.ts';
import { MAX_FAVOURITES } from '../domain/search/saved-view.ts';
import { MAX_NOTES_OF_ERROR } from '../domain/errors/error-state.ts';
import { MAX_DISCARDED } from '../domain/ports/stores/list-store.ts';
import { MAX_IMPORT_STATE } from './limits.ts';

/** Refusals that every store words alike. */

export function unknownProject(id: number): AppError {
  return new AppError('project_not_found', `there is no project with the id ${id}`);
}

export function unknownUser(id: number): AppError {
  return new AppError('not_found', `there is no user with the id ${id}`);
}

export function usernameTaken(username: string): AppError {
  return new AppError('conflict', `the username "${username}" is taken: choose another one`);
}

export function unknownImportSource(id: number): AppError {
  return new AppError('not_found', `there is no import source ${id}`);
}

export function pathTaken(path: string): AppError {
  return new AppError('conflict', `the path "${path}" is taken by another project: choose another one`);
}

export function unknownGroup(id: number): AppError {
  return new AppError('group_not_found', `there is no group with the id ${id}`);
}

export function groupPathTaken(path: string): AppError {
  return new AppError('conflict', `the path "${path}" is taken by a project or another group: choose another one`);
}

export function groupBelowItself(path: string): AppError {
  return new AppError('conflict', `the group cannot be moved to "${path}", which is below itself`);
}

export function groupAboveMoved(path: string): AppError {
  return new AppError('conflict', `the group above "${path}" was moved or deleted at the same time: try again`);
}

export function groupInUse(projects: number): AppError {
  const what = projects > 0 ? `${projects} project${projects === 1 ? '' : 's'}` : 'other groups';
  return new AppError('conflict', `the group has ${what}: move or delete what is in it first`);
}

export function lastOwner(): AppError {
  return new AppError('conflict', 'the user is the last owner of the group: make another user its owner first');
}

export function groupsFull(): AppError {
  return new AppError('conflict', `a user is a member of at most ${MAX_GROUPS_OF_USER} groups: remove one first`);
}

export function publicKeyTaken(): AppError {
  return new AppError('conflict', 'this public key is already in use: choose another one');
}

export function channelsFull(): AppError {
  return new AppError('conflict', `a project has at most ${MAX_CHANNELS} channels: delete one first`);
}

export function favouritesFull(): AppError {
  return new AppError('conflict', `a person has at most ${MAX_FAVOURITES} favourites: remove one first`);
}

export function invitationsFull(): AppError {
  return new AppError('conflict', `a project or group has at most ${MAX_INVITATIONS} invitations: withdraw some first`);
}

/** Throws `conflict` when an error with this number of notes can have no further one. */
export function requireRoomForNote(count: number): void {
  if (count < MAX_NOTES_OF_ERROR) return;
  throw new AppError('conflict', `an error has at most ${MAX_NOTES_OF_ERROR} notes: delete one first`);
}

/** Throws `conflict` when a project would discard more errors than it may; `count` includes the new ones. */
export function requireRoomForDiscarded(count: number): void {
  if (count <= MAX_DISCARDED) return;
  throw new AppError('conflict', `at most ${MAX_DISCARDED} errors can be discarded per project: restore some first`);
}

/** Throws `bad_request` when the state of an import is longer than a store keeps. */
export function requireStateFits(state: string): void {
  if (state.length <= MAX_IMPORT_STATE) return;
  throw new AppError('bad_request', `the state of an import has at most ${MAX_IMPORT_STATE} characters`);
}
