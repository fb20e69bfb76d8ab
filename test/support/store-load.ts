import { randomBytes } from 'node:crypto';
import type { DigestedEvent } from '../../src/domain/digest.ts';
import type { Project } from '../../src/domain/project.ts';
import { encodePayload } from '../../src/lib/payload-codec.ts';
import { makeEvent, NOON, normalisedEvent } from './store-data.ts';

/** Incompressible payload bytes, shared by the events of a batch. */
const PADDING = randomBytes(600).toString('base64');

/** Makes a batch of typical load: 20 groups, 100 users. It is the same in every run. */
export function makeLoad(project: Project, batch: number, size: number): DigestedEvent[] {
  const payload = encodePayload({ ...normalisedEvent('0'.repeat(32)), extra: { PADDING } });
  return Array.from({ length: size }, (_, index) =>
    makeEvent(project, `load ${batch} ${index}`, {
      group: `load ${index % 20}`,
      user: `user ${index % 100}`,
      at: NOON + batch,
      tags: [['environment', 'production']],
      payload,
    }),
  );
}
