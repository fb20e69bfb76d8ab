import type { TrackerSetup } from '../domain/ports/tracker-setup.ts';
import type { TrackerCache } from './cache.ts';
import { connectTracker, type ConnectParts } from './connect/connect.ts';
import { draftSettings } from './settings-draft.ts';

export interface TrackerSetupParts extends ConnectParts {
  readonly cache: Pick<TrackerCache, 'forgetProject'>;
}

/** Linking projects to external trackers. */
export function createTrackerSetup(parts: TrackerSetupParts): TrackerSetup {
  return {
    draft: (projectId, before, form) => draftSettings(projectId, before, form, parts),
    connect: (projectId, before, question, signal) =>
      connectTracker(projectId, before, question, signal === undefined ? parts : { ...parts, signal }),
    settingsSaved: (projectId) => parts.cache.forgetProject(projectId),
  };
}
