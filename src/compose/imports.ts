import { randomUUID } from 'node:crypto';
import type { Config } from '../../config/schema.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/store.ts';
import { MoveIns } from '../import/move-in.ts';
import type { Closers } from '../lib/closers.ts';
import type { Logger } from '../observability/logger.ts';
import { composeDigest } from './digest.ts';
import type { TrackerSide } from './trackers.ts';

export interface ImportParts {
  readonly store: Store;
  /** Resolves when the store can be used. */
  readonly opened: Promise<void>;
  readonly trackers: Pick<TrackerSide, 'cipher' | 'guard'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Builds the imports that are started over REST, and continues those that a stopped gateway has left. */
export function createImports(config: Config, parts: ImportParts, closers: Closers): MoveIns {
  const { store, opened, trackers, clock, logger } = parts;
  const { cipher, guard } = trackers;
  const digest = async () => {
    const composed = await composeDigest(config, store);
    closers.add(async () => {
      composed.stop();
    });
    return composed.digest;
  };
  const moveIns = new MoveIns({ store, clock, owner: randomUUID(), guard, cipher, logger, digest });
  closers.add(() => moveIns.stop());
  void opened.then(
    () => moveIns.startLooking(),
    () => undefined,
  );
  return moveIns;
}
