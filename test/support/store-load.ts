import { randomBytes } from 'node:crypto';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { encodePayload } from './encode-payload.ts';
import { makeEvent, NOON, normalisedEvent } from './store-data.ts';

/** Makes a batch of typical load: 20 groups, 100 users. Apart from the payloads it is the same in every run. */
export function makeLoad(project: Project, batch: number, size: number): DigestedEvent[] {
  return Array.from({ length: size }, (_, index) =>
    makeEvent(project, `load ${batch} ${index}`, {
      group: `load ${index % 20}`,
      user: `user ${index % 100}`,
      at: NOON + batch,
      tags: [['environment', 'production']],
      payload: paddedPayload(),
    }),
  );
}

/** Makes a payload of incompressible bytes, so that a store grows as fast as one with much larger events. */
function paddedPayload(): Uint8Array {
  return encodePayload({ ...normalisedEvent('0'.repeat(32)), extra: { padding: randomBytes(600).toString('base64') } });
}
