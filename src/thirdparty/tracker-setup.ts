import type { TrackerSetup } from '../domain/ports/tracker-setup.ts';
import type { TrackerCache } from './cache.ts';
import { connectTracker, type ConnectParts } from './connect/connect.ts';
import { linkedProject } from './linked-project.ts';
import { draftSettings } from './setup/settings-draft.ts';
import type { TrackerFinder } from './tracker-finder.ts';

export interface TrackerSetupParts extends ConnectParts {
  /** Absent: kinds of trackers are not detected. */
  readonly finder?: Pick<TrackerFinder, 'look'>;
  readonly cache: Pick<TrackerCache, 'forgetProject' | 'scopeOf'>;
}

/** Linking projects to external trackers. */
export function createTrackerSetup(parts: TrackerSetupParts): TrackerSetup {
  const { cache } = parts;
  return {
    draft: (projectId, before, form) => draftSettings(projectId, before, form, parts),
    connect: (projectId, before, question, signal) =>
      connectTracker(projectId, before, question, signal === undefined ? parts : { ...parts, signal }),
    linkProblem: async (settings, signal) => (await linkedProject(parts, settings, signal))?.problem ?? null,
    settingsSaved: async (before, saved) => {
      // Copies of an unchanged link stay readable while the tracker is unavailable.
      const isSame = before !== null && cache.scopeOf(before) === cache.scopeOf(saved);
      if (!isSame) cache.forgetProject(saved.projectId);
      if (saved.active && !saved.integrated) await parts.finder?.look(saved);
    },
  };
}
