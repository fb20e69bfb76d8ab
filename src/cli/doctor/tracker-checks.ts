import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../../config/schema.ts';
import type { AppError } from '../../domain/app-error.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { Project } from '../../domain/projects/project.ts';
import { servedByIntegrated } from '../../domain/projects/settings-rules.ts';
import type { TrackingSettings } from '../../domain/projects/tracking-settings.ts';
import { TrackerClient } from '../../thirdparty/http/client.ts';
import { readKeyRing } from '../../thirdparty/secrets/key-ring.ts';
import { linkedProject } from '../../thirdparty/linked-project.ts';
import { createTokenCipher } from '../../thirdparty/secrets/encrypted-token.ts';
import { createUrlGuard } from '../../thirdparty/guard/url-guard.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

const CHECK = 'external trackers';
/** Maximum number of links checked; the rest is counted. All are checked at once, each within four seconds. */
const MAX_LINKS = 500;

const OWN_RULES =
  'doctor uses the outbound rules of its own environment, which may differ from those of the service: run it with the same ERRGATE_OUTBOUND_ALLOW';

interface Link {
  readonly project: Project;
  readonly settings: TrackingSettings;
}

async function activeLinks(store: Store, offered: boolean): Promise<Link[]> {
  const links: Link[] = [];
  for (const project of await store.listProjects()) {
    const settings = await store.settings(project.id);
    if (settings?.active === true && !servedByIntegrated(settings, offered)) links.push({ project, settings });
  }
  return links;
}

/** Returns true for an intended refusal, as opposed to a failure of the tracker itself. */
function isMeant(error: AppError): boolean {
  return error.code === 'tracker_refused' && (error.details?.status ?? 0) < 500;
}

/** Checks that the linked trackers still have the projects linked here. Asks them live, with the stored tokens. */
export async function checkTrackers(store: Store, config: Config, dataDir: string): Promise<Finding> {
  const links = await activeLinks(store, config.integrated.enabled);
  const client = new TrackerClient({
    guard: createUrlGuard(config.outbound),
    clock: systemClock,
    // This timer keeps the process alive, because nothing else runs meanwhile.
    wait: (ms, signal) => delay(ms, undefined, { signal }),
  });
  const cipher = createTokenCipher(() => readKeyRing({ ...config, dataDir }));
  const lost: string[] = [];
  const unsure: string[] = [];
  const blocked: string[] = [];
  try {
    await Promise.all(
      links.slice(0, MAX_LINKS).map(async ({ project, settings }) => {
        const linked = await linkedProject({ client, cipher }, settings);
        if (linked === null) return;
        const { state, problem } = linked;
        if (problem !== null) lost.push(`${project.path}: ${problem.message}`);
        if (state.kind !== 'unknown') return;
        if (state.reason.code === 'tracker_blocked') blocked.push(project.path);
        (isMeant(state.reason) ? lost : unsure).push(`${project.path}: ${state.reason.message}`);
      }),
    );
  } finally {
    client.close();
  }
  const lines = [...lost, ...unsure].join('\n');
  if (lost.length > 0) return fail(CHECK, lines, 'correct the link in the settings of the project, then check again');
  if (unsure.length > 0 && blocked.length > 0) return warn(CHECK, lines, OWN_RULES);
  if (unsure.length > 0)
    return warn(CHECK, lines, 'cached copies up to a day old are shown until then; check again later');
  const more = links.length > MAX_LINKS ? `; ${links.length - MAX_LINKS} more were not checked` : '';
  return links.length === 0
    ? ok(CHECK, 'no project is linked to an external tracker')
    : ok(
        CHECK,
        `${links.length === 1 ? 'the linked project exists' : `all ${Math.min(links.length, MAX_LINKS)} linked projects exist`}${more}`,
      );
}
