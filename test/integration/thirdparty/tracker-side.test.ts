import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../config/load.ts';
import { createTrackerSide, type TrackerSide } from '../../../src/compose/trackers.ts';
import type { ErrorBackend } from '../../../src/domain/ports/error-backend.ts';
import type { ErrorQuery } from '../../../src/domain/search/error-query.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { readKeyRing } from '../../../src/thirdparty/secrets/key-ring.ts';
import { createTokenCipher } from '../../../src/thirdparty/secrets/encrypted-token.ts';
import { fakeLogger } from '../../support/fake-logger.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { startLinkedWorld, TRACKER_TOKEN, type LinkedWorld } from '../../support/fake-tracker/linked-world.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const PROJECT = { id: 1 } as Project;
const ALL: ErrorQuery = {
  status: 'all',
  search: null,
  sort: 'last_seen',
  environment: null,
  release: null,
  level: null,
  limit: 20,
  cursor: null,
};

describe('external trackers as the service runs them', () => {
  let world: LinkedWorld;
  let side: TrackerSide;
  let dataDir: string;
  let lines: string[];
  let backend: () => ErrorBackend;
  const metrics = () => registered.registry.metrics();
  let registered: ReturnType<typeof createMetrics>;
  const clock = { at: NOW, now: () => clock.at };

  beforeEach(async () => {
    const own: string[] = [];
    lines = own;
    clock.at = NOW;
    world = await startLinkedWorld('Sentry 21.4', { now: NOW });
    world.tracker.world.addIssue(world.shop, { title: 'Error: x', events: [{ at: NOW - 1000 }] });
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-trackers-'));
    writeFileSync(join(dataDir, 'secret.key'), `${'0f'.repeat(32)}\n`, { mode: 0o600 });
    const logger = fakeLogger((level) => (facts, message) => {
      own.push(`${level} ${JSON.stringify(facts)} ${message ?? ''}`);
    });
    registered = createMetrics();
    const config = loadConfig({ env: { ERRGATE_DATA_DIR: dataDir, ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' } });
    side = createTrackerSide(config, { dataDir, clock, logger, metrics: registered });
    const cipher = createTokenCipher(() => readKeyRing({ secretKey: null, secretKeyPrevious: null, dataDir }));
    const settings = { ...world.settingsFor(1, world.shop), sealedToken: cipher.encrypt(TRACKER_TOKEN, 1) };
    backend = () => side.backends.backendFor(settings);
  });
  afterEach(async () => {
    const shown = [lines.join('\n'), await metrics()];
    side.close();
    await world.close();
    rmSync(dataDir, { recursive: true, force: true });
    for (const text of shown) assert.ok(!text.includes(TRACKER_TOKEN), 'the token is shown');
    assert.doesNotMatch(shown[1] ?? '', /127\.0\.0\.1|acme|shop/, 'a label holds something of the tracker');
  });

  async function values(name: string): Promise<Record<string, number>> {
    const found = (await metrics()).matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'));
    return Object.fromEntries([...found].map(([, labels = '', value]) => [labels, Number(value)]));
  }

  it('count requests and reads of copies, and measure them', async () => {
    const list = () => backend().list(PROJECT, ALL);
    const [error] = (await list()).items;
    await list();
    clock.at += 61_000;
    await list();
    await backend().setStatus(PROJECT, error!.id, 'resolved');
    await assert.rejects(backend().get(PROJECT, '99999999'), { code: 'not_found' });
    const requests = await values('errgate_tracker_requests_total');
    assert.equal(requests['{kind="write",outcome="ok"}'], 1);
    assert.ok((requests['{kind="read",outcome="ok"}'] ?? 0) >= 3);
    assert.ok((requests['{kind="read",outcome="refused"}'] ?? 0) >= 1);
    const reads = await values('errgate_tracker_cache_reads_total');
    assert.deepEqual(reads, {
      '{outcome="asked"}': 1,
      '{outcome="fresh"}': 1,
      '{outcome="revalidating"}': 1,
      '{outcome="failed"}': 1,
    });
    assert.ok(((await values('errgate_tracker_cache_bytes'))[''] ?? 0) > 400);
    const seconds = await values('errgate_tracker_request_seconds_count');
    assert.equal(seconds['{kind="write"}'], 1);
    assert.deepEqual(lines, []);
  });

  it('count an unusable row at each reading from the tracker, Connect included', async () => {
    const bad = { id: 'no id', slug: 'odd-one', name: 'Odd', organization: { slug: 'acme', name: 'Acme', id: '1' } };
    world.tracker.fail(faults.json([bad]), /api\/0\/projects\/$|organizations\/acme\/projects/);
    world.tracker.fail(faults.json([{ id: 'no id' }]), /\/issues\/\?/);
    const counts = () => values('errgate_tracker_rows_left_out_total');
    const connect = () => side.setup.connect(2, null, { apiHost: world.tracker.origin, token: TRACKER_TOKEN });
    for (const times of [1, 2]) {
      const { advice } = await connect();
      assert.ok(advice.some(({ code }) => code === 'projects_left_out'));
      assert.deepEqual(await counts(), { '{thing="project"}': times });
    }
    await backend().list(PROJECT, ALL);
    // A copy that is read again counts nothing.
    await backend().list(PROJECT, ALL);
    assert.deepEqual(await counts(), { '{thing="project"}': 2, '{thing="issue"}': 1 });
  });

  it('are logged when they begin to fail and when they recover, and counted otherwise', async () => {
    await backend().list(PROJECT, ALL);
    world.tracker.fail(faults.reset());
    for (let minutes = 5; minutes < 9; minutes += 1) {
      clock.at = NOW + minutes * 60_000;
      await backend().list(PROJECT, ALL);
      // The copy is handed out before the question fails.
      await assert.rejects(backend().get(PROJECT, String(minutes)), { code: 'tracker_unreachable' });
    }
    world.tracker.heal();
    clock.at += 60_000;
    await assert.rejects(backend().get(PROJECT, '999'), { code: 'not_found' });
    assert.equal(lines.length, 2, lines.join('\n'));
    assert.match(
      lines[0] ?? '',
      /^warn \{"host":"127\.0\.0\.1:\d+","code":"tracker_unreachable","reason":"socket"\} .*the connection to 127\.0\.0\.1:\d+ broke/,
    );
    assert.match(lines[1] ?? '', /^info .*answers again$/);
    assert.ok(((await values('errgate_tracker_requests_total'))['{kind="read",outcome="unreachable"}'] ?? 0) >= 8);
    assert.ok(((await values('errgate_tracker_cache_reads_total'))['{outcome="stale"}'] ?? 0) >= 1);
  });
});
