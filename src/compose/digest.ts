import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/schema.ts';
import type { Store } from '../domain/ports/store.ts';
import { createRecordDigester } from '../integrated/digest/digest-record.ts';
import { groupV1 } from '../integrated/digest/group/v1/group.ts';
import { ProjectOverrides } from '../integrated/project-overrides.ts';
import { projectPaths } from '../integrated/project-paths.ts';
import type { DigestRecord } from '../integrated/digest/digested-record.ts';
import { scrubbersFor } from '../integrated/digest/scrub/scrubbers-for.ts';

export interface ComposedDigest {
  readonly digest: DigestRecord;
  /** Ends what keeps it up to date; to be called before its store is closed. */
  readonly stop: () => void;
}

/**
 * The digest as it is configured, for the service and for the commands that digest by themselves. What projects ask
 * for themselves is in force from the first record on; `own` is where the service is told of changes.
 */
export async function composeDigest(
  config: Config,
  store: Store,
  own: ProjectOverrides = new ProjectOverrides(),
): Promise<ComposedDigest> {
  own.begin(await store.listProtections());
  const userSalt = await store.initMeta('user_salt', randomBytes(32).toString('hex'));
  const paths = await projectPaths(config.scrubbing.projects, store);
  const digest = createRecordDigester({
    group: groupV1,
    scrubberFor: scrubbersFor(config.scrubbing, own.of),
    inApp: config.integrated,
    userSalt,
    projectPath: (projectId) => paths.of(projectId),
  });
  return { digest, stop: () => paths.stop() };
}
