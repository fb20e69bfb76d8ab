import type { MapSource } from '../../src/artifacts/frames/map-cache.ts';
import { createFrameMapper } from '../../src/compose/frame-mapper.ts';
import { createMappingDigester } from '../../src/integrated/digest/digest-record.ts';
import type { DigestMappedRecord } from '../../src/integrated/digest/digested-record.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { createScrubber } from '../../src/integrated/digest/scrub/scrubber.ts';
import { NO_RULES } from '../unit/integrated/digest/digest-support.ts';

/** Makes a digest that knows nothing of uploads yet: an answer that there is no map holds for some time. */
export function mappingDigest(maps: MapSource): DigestMappedRecord {
  return createMappingDigester(
    {
      group: groupV2,
      scrubberFor: () => createScrubber({ enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [] }),
      inApp: NO_RULES,
      userSalt: 'salt',
      projectPath: () => null,
    },
    createFrameMapper({ integrated: NO_RULES }, maps),
  );
}
