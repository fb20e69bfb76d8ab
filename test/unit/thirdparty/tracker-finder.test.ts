import assert from 'node:assert/strict';
import type { FoundTracker } from '../../../src/domain/projects/tracker-kind.ts';
import { TrackerFinder } from '../../../src/thirdparty/tracker-finder.ts';
import { scriptedSession } from './support/scripted-session.ts';

const BASE = 'https://tracker.example';
const HOUR = 3_600_000;
const API_URL = `${BASE}/api/0/projects/acme/shop/`;

/** A finder at a tracker that is of this kind by its pages, and what it stored. */
function finder({ isAway = false } = {}) {
  const saved: [projectId: number, tracker: FoundTracker][] = [];
  const clock = { at: 1_000_000, now: () => clock.at };
  const { session, asked } = scriptedSession((path) => {
    if (isAway) throw new Error('away');
    return path === '/api/settings/' ? { body: { enableUserRegistration: true, version: '5.2.0' } } : { status: 404 };
  });
  const found = new TrackerFinder({
    client: session.client,
    clock,
    save: async (projectId, tracker) => saved.push([projectId, tracker]),
  });
  return { found, saved, asked, clock };
}

const stored = (checkedAt: number, base = BASE): FoundTracker => ({ base, kind: 'sentry', version: '26.1', checkedAt });

describe('what kind of tracker stands behind an address', () => {
  it('is found from pages that need no token, and stored for every project of the address', async () => {
    const { found, saved, asked, clock } = finder();
    await Promise.all([1, 2].map((projectId) => found.look({ projectId, apiUrl: API_URL, tracker: null })));
    const tracker = { base: BASE, kind: 'glitchtip', version: '5.2.0', checkedAt: clock.at };
    assert.deepEqual(saved, [[1, tracker], [2, tracker]]); // prettier-ignore
    assert.deepEqual(asked, ['GET /api/client-config/', 'GET /api/settings/']);
  });

  it('is looked at once more after a day, and not before', async () => {
    const { found, saved, asked, clock } = finder();
    const settings = { projectId: 1, apiUrl: API_URL, tracker: stored(clock.at) };
    clock.at += 24 * HOUR - 1;
    assert.equal(found.kindOf(settings), 'sentry');
    await found.look(settings);
    assert.deepEqual(asked, []);
    clock.at += 1;
    await found.look(settings);
    assert.equal(saved[0]?.[1].kind, 'glitchtip');
  });

  it('is unknown for another address than the one that was looked at', async () => {
    const { found, saved, clock } = finder();
    const settings = { projectId: 1, apiUrl: API_URL, tracker: stored(clock.at, 'https://former.example') };
    assert.equal(found.kindOf(settings), 'unknown');
    await found.look(settings);
    assert.equal(saved[0]?.[1].base, BASE);
  });

  it('is doubted by an answer of another form: looked at again, at most every ten minutes', async () => {
    const { found, saved, asked, clock } = finder();
    const settings = { projectId: 1, apiUrl: API_URL, tracker: stored(clock.at) };
    for (let times = 0; times < 3; times += 1) found.doubt(settings);
    await found.look({ ...settings, tracker: null });
    assert.equal(asked.length, 2);
    assert.ok(saved.length > 0);
    clock.at += 600_001;
    found.doubt(settings);
    await found.look({ ...settings, tracker: null });
    assert.equal(asked.length, 4);
  });

  it('stays what it was while the tracker is away', async () => {
    const { found, saved, asked, clock } = finder({ isAway: true });
    const settings = { projectId: 1, apiUrl: API_URL, tracker: stored(clock.at - 25 * HOUR) };
    await found.look(settings);
    await found.look(settings);
    assert.equal(found.kindOf(settings), 'sentry');
    assert.deepEqual([saved, asked.length], [[], 3]);
  });
});
