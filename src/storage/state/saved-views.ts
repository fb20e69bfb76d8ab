import { AppError } from '../../domain/app-error.ts';
import { MAX_SAVED_VIEWS, type SavedView } from '../../domain/search/saved-view.ts';

/** Throws `conflict` when a person has the maximum of views. */
export function requireRoomForView(views: readonly SavedView[]): void {
  if (views.length >= MAX_SAVED_VIEWS) {
    throw new AppError('conflict', `a person has at most ${MAX_SAVED_VIEWS} views of a project: delete one first`);
  }
}
