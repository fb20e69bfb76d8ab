import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DigestedBatch } from '../src/domain/ingest/digest.ts';
import type { SessionUpdate } from '../src/domain/releases/session.ts';
import { openStore } from '../src/storage/open/open-store.ts';

/**
 * Measures the bytes per session in the embedded store, by kind of session: `node --import=tsx bench/session-bytes.ts`.
 * Each kind has a new store; the size of the empty tables is subtracted.
 */
const COUNT = 200_000;
const BATCH = 2000;
const NOW = Date.now();

type Make = (index: number) => Partial<SessionUpdate>;

const id = (bytes: number): string => randomBytes(bytes).toString('hex');
/** Ended session without a user, all in one hour: the minimum size of a session. */
const PLAIN: Make = () => ({});
const KINDS: readonly (readonly [name: string, make: Make])[] = [
  ['a session of nobody', PLAIN],
  ['a session with a person of its own, one environment', () => ({ userHash: id(12) })],
];

async function bytesFor(make: Make, count: number): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'errgate-bench-'));
  const store = await openStore({ url: 'sqlite:', dataDir });
  try {
    const project = await store.createProject({ path: 'a/b', name: 'b', visibility: 'private' });
    for (let n = 1; (n - 1) * BATCH < count; n += 1) {
      const sessions = Array.from({ length: BATCH }, (_, index): SessionUpdate => ({
        ...{ kind: 'update', projectId: project.id, keyId: 1, receivedAt: NOW, release: 'shop@1.0.0' },
        ...{ environment: 'production', sessionId: id(16), startedAt: NOW, at: NOW, errored: false, end: 'exited' },
        userHash: null,
        ...make(index),
      }));
      const batch: DigestedBatch = { events: [], outcomes: [], sessions };
      await store.applyBatch({ journalId: '1'.repeat(32), n, hash: id(16) }, batch);
    }
    await store.close();
    const again = await openStore({ url: 'sqlite:', dataDir });
    const { bytes } = await again.stats();
    await again.close();
    return bytes ?? 0;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

for (const [name, make] of KINDS) {
  const [few, many] = [await bytesFor(make, BATCH), await bytesFor(make, BATCH + COUNT)];
  process.stdout.write(`${name}: ${((many - few) / COUNT).toFixed(1)} bytes\n`);
}
