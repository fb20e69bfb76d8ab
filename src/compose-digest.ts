import { randomBytes } from 'node:crypto';
import type { Config } from '../config/schema.ts';
import type { Store } from './domain/ports/store.ts';
import { createRecordDigester } from './integrated/digest/digest-record.ts';
import { groupV1 } from './integrated/digest/group/v1/group.ts';
import { OwnProtections } from './integrated/own-protections.ts';
import { projectPaths } from './integrated/project-paths.ts';
import type { DigestRecord } from './integrated/digest/loop/digest-function.ts';
import { scrubbersFor } from './integrated/digest/scrub/scrubbers-for.ts';

/**
 * The digest as it is configured, for the service and for the commands that digest by themselves. What projects ask
 * for themselves is in force from the first record on; `own` is where the service is told of changes.
 */
export async function composeDigest(
  config: Config,
  store: Store,
  own: OwnProtections = new OwnProtections(),
): Promise<DigestRecord> {
  own.begin(await store.listProtections());
  return createRecordDigester({
    group: groupV1,
    scrubberFor: scrubbersFor(config.scrubbing, own.of),
    inApp: config.integrated,
    userSalt: await store.initMeta('user_salt', randomBytes(32).toString('hex')),
    projectPath: await projectPaths(config.scrubbing.projects, store),
  });
}
