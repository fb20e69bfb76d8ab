import { randomUUID } from 'node:crypto';
import type { Config } from '../../config/schema.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { MoveIns } from '../import/move-in.ts';
import { RequestPace } from '../import/readers/access/request-pace.ts';
import { sleep } from '../lib/back-off.ts';
import type { Closers } from '../lib/closers.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { composeDigest } from './digest.ts';
import type { TrackerSide } from './trackers.ts';

export interface ImportParts {
  readonly store: Store;
  readonly trackers: Pick<TrackerSide, 'cipher' | 'guard'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'accepted'>;
}

/** Builds the imports that are started over REST, or that a stopped gateway has left. */
export function createImports(config: Config, parts: ImportParts, closers: Closers): MoveIns {
  const { store, trackers, clock, logger, metrics } = parts;
  const { cipher, guard } = trackers;
  const digest = async () => {
    const composed = await composeDigest(config, store);
    closers.add(async () => {
      composed.stop();
    });
    return composed.digest;
  };
  const accepted = async (): Promise<number> => (await metrics.accepted.get()).values[0]?.value ?? 0;
  const requests = new RequestPace({ accepted, clock, sleep });
  const pace = (signal: AbortSignal): Promise<void> => requests.turn(signal);
  const moveIns = new MoveIns({ store, clock, owner: randomUUID(), guard, cipher, logger, digest, pace });
  closers.add(() => moveIns.stop());
  return moveIns;
}
