import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/schema.ts';
import type { MappedCounts } from '../artifacts/frames/event-mapper.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { createMappingDigester, createRecordDigester } from '../integrated/digest/digest-record.ts';
import { groupV2 } from '../integrated/digest/group/v2/group.ts';
import { ProjectOverrides } from '../integrated/project-overrides.ts';
import { projectPaths } from '../integrated/project-paths.ts';
import type { DigestMappedRecord, DigestRecord } from '../integrated/digest/digested-record.ts';
import { scrubbersFor } from '../integrated/digest/scrub/scrubbers-for.ts';
import { createFrameMapper } from './frame-mapper.ts';

export interface ComposedDigest {
  readonly digest: DigestRecord;
  /** The same, which also finds the original places of frames. */
  readonly mapped: DigestMappedRecord;
  /** Stops its background updates. Call it before the store is closed. */
  readonly stop: () => void;
}

export interface DigestListeners {
  /** Called for each event with frames that were looked up. */
  readonly onMapped?: (counts: MappedCounts) => void;
  /** Called for each event that is grouped as it was sent, because a part of it alone is mapped. */
  readonly onAsSent?: () => void;
}

/**
 * Builds the configured digest, for the service and for commands that digest themselves. Overrides of projects apply
 * from the first record on; the service passes changes to `own`.
 */
export async function composeDigest(
  config: Config,
  store: Store,
  own: ProjectOverrides = new ProjectOverrides(),
  { onMapped, onAsSent }: DigestListeners = {},
): Promise<ComposedDigest> {
  own.begin(await store.listProtections());
  const userSalt = await store.initMeta('user_salt', randomBytes(32).toString('hex'));
  const paths = await projectPaths(config.scrubbing.projects, store);
  const deps = {
    group: groupV2,
    scrubberFor: scrubbersFor(config.scrubbing, own.of),
    inApp: config.integrated,
    userSalt,
    projectPath: (projectId: number) => paths.of(projectId),
  };
  return {
    digest: createRecordDigester(deps),
    mapped: createMappingDigester(
      deps,
      createFrameMapper(config, store, onMapped === undefined ? {} : { onMapped }),
      onAsSent,
    ),
    stop: () => paths.stop(),
  };
}
