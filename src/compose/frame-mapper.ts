import type { Config } from '../../config/schema.ts';
import { EventMapper, type MappedCounts } from '../artifacts/frames/event-mapper.ts';
import { MapCache } from '../artifacts/frames/map-cache.ts';
import type { MapSource } from '../artifacts/frames/map-source.ts';
import { systemClock } from '../domain/ports/clock.ts';
import { decideInApp } from '../integrated/digest/in-app.ts';

/** Builds what finds the original places of frames. Each thread has its own, with its own opened maps. */
export function createFrameMapper(
  { integrated }: Pick<Config, 'integrated'>,
  store: MapSource,
  onMapped?: (counts: MappedCounts) => void,
): EventMapper {
  return new EventMapper({
    cache: new MapCache(store, systemClock),
    // SDKs of browsers mark each frame as their user's; the path of the original says more.
    isOwn: (frame, platform) => decideInApp(frame, null, false, platform, integrated),
    ...(onMapped === undefined ? {} : { onMapped }),
  });
}
