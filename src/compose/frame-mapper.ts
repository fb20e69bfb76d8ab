import { EventMapper, type MappedCounts } from '../artifacts/frames/event-mapper.ts';
import { MapCache, type MapSource } from '../artifacts/frames/map-cache.ts';
import { systemClock } from '../domain/ports/clock.ts';
import { decideMappedInApp, type InAppRules } from '../integrated/digest/in-app.ts';

/** Bytes of opened maps that the digest keeps. */
const DIGEST_MAPS_BYTES = 64 * 1024 * 1024;

export interface FrameMapperOptions {
  readonly onMapped?: (counts: MappedCounts) => void;
  /** Bytes of opened maps that are kept. Default: those of the digest. */
  readonly keptBytes?: number;
}

/** Builds what finds the original places of frames. Each thread has its own, with its own opened maps. */
export function createFrameMapper(
  { integrated }: { readonly integrated: InAppRules },
  store: MapSource,
  { onMapped, keptBytes = DIGEST_MAPS_BYTES }: FrameMapperOptions = {},
): EventMapper {
  return new EventMapper({
    cache: new MapCache(store, systemClock, keptBytes),
    isOwn: (frame, mark, platform) => decideMappedInApp(frame, mark, platform, integrated),
    ...(onMapped === undefined ? {} : { onMapped }),
  });
}
