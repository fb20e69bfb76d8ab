import { AppError } from '../../../domain/app-error.ts';
import { generatePublicKey } from '../../../domain/projects/dsn.ts';
import type { SettingsDraft } from '../../../domain/ports/tracker-setup.ts';
import { activationProblems, servedByIntegrated, withoutRepeats } from '../../../domain/projects/settings-rules.ts';
import { DEFAULT_SETTINGS, type TrackingSettings } from '../../../domain/projects/tracking-settings.ts';
import type { ProjectCall } from '../../http/route.ts';

/** Throws `integrated_not_offered` when the integrated backend is selected but not offered. */
export function checkOffered({ deps }: ProjectCall<unknown>, integrated: boolean | undefined): void {
  if (integrated === true && !deps.integratedOffered) {
    throw new AppError('integrated_not_offered', 'this installation does not offer the integrated backend');
  }
}

/**
 * Throws `bad_request` for a link to a project that its tracker does not have. An unavailable tracker does not prevent
 * saving.
 */
async function checkLink({ deps, signal }: ProjectCall<unknown>, settings: TrackingSettings): Promise<void> {
  const problem = await deps.trackers.linkProblem(settings, signal);
  if (problem === null) return;
  const details = problem.code === 'tracker_refused' ? problem.details : undefined;
  throw new AppError('bad_request', problem.message, { details });
}

/**
 * Saves valid settings, and creates the project's first key once it can use one. Throws `bad_request` with all
 * problems.
 */
export async function saveSettings(
  call: ProjectCall<unknown>,
  before: TrackingSettings | null,
  { patch, problems }: SettingsDraft,
): Promise<TrackingSettings> {
  const { deps, project } = call;
  const next = { ...(before ?? { ...DEFAULT_SETTINGS, projectId: project.id }), ...patch };
  const wrong = withoutRepeats([...problems, ...activationProblems(next)]);
  if (wrong.length > 0) throw new AppError('bad_request', wrong.join(', '));
  if (patch.apiUrl !== undefined && next.active && !next.integrated) await checkLink(call, next);
  const saved = await deps.store.saveSettings(project.id, patch);
  await deps.trackers.settingsSaved(before, saved);
  if (saved.active && servedByIntegrated(saved, deps.integratedOffered)) {
    await deps.store.ensureActiveKey(project.id, generatePublicKey());
  }
  return saved;
}
