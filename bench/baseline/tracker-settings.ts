/**
 * Measures the memory per project for settings with trackers, after each was read once. Copies of lists are included.
 * Takes the tracker's address and the number of projects; prints JSON. Run with --expose-gc.
 */
import { loadConfig } from '../../config/load.ts';
import { createTrackerSide } from '../../src/compose/trackers.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { parseSecretKey } from '../../src/thirdparty/secrets/key-ring.ts';
import { createTokenCipher } from '../../src/thirdparty/secrets/encrypted-token.ts';
import { TRACKER_TOKEN } from '../../test/support/fake-tracker/linked-world.ts';

const origin = process.argv[2] ?? '';
const projects = Number(process.argv[3] ?? 0);
const AT_ONCE = 5;

const secret = '0f'.repeat(32);
const env = { ERRGATE_SECRET_KEY: secret, ERRGATE_OUTBOUND_ALLOW: '127.0.0.1', ERRGATE_LOG_LEVEL: 'warn' };
const config = loadConfig({ env });
const metrics = createMetrics();
const parts = { dataDir: '.', clock: { now: () => Date.now() }, logger: createLogger(config.log), metrics };
const side = createTrackerSide(config, parts);
const key = parseSecretKey(secret);
const cipher = createTokenCipher(() => (key === null ? [] : [key]));

async function read(projectId: number): Promise<void> {
  const settings = {
    projectId,
    active: true,
    integrated: false,
    apiUrl: `${origin}/api/0/projects/acme/shop/`,
    projectName: 'The shop',
    organizationName: 'The acme',
    thirdpartyProjectId: '11',
    sealedToken: cipher.encrypt(TRACKER_TOKEN, projectId),
    tracker: null,
  };
  const backend = side.backends.backendFor(settings);
  const query = { status: 'all', search: null, environment: null, release: null, level: null, cursor: null } as const;
  await backend.list({ id: projectId } as Project, { ...query, sort: 'frequency', limit: 1 });
}

function heldBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// Warm-up: the first reads load and compile shared code.
for (let id = 1; id <= 50; id += 1) await read(id);
const before = heldBytes();
for (let first = 51; first <= 50 + projects; first += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => read(first + index)));
}
await new Promise((resolve) => setTimeout(resolve, 1000));
const bytes = heldBytes() - before;
const copies = Number(/^errgate_tracker_cache_bytes (\d+)/m.exec(await metrics.registry.metrics())?.[1] ?? Number.NaN);
console.log(JSON.stringify({ bytes, copies }));
process.exit(0);
