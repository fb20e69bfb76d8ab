import assert from 'node:assert/strict';
import { checkGateways, checkJournals } from '../../../../src/cli/doctor/gateway-checks.ts';
import type { GatewayInfo, JournalInfo } from '../../../../src/domain/ports/stores/maintenance-store.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;

const journal = (digit: string, unseenMs: number, open = false): JournalInfo => ({
  journalId: digit.repeat(32),
  seenAt: NOW - unseenMs,
  open,
});
const check = (...journals: JournalInfo[]) => checkJournals({ listJournals: async () => journals }, NOW);

describe('doctor: journals', () => {
  it('has nothing to say about a store of one machine', async () => {
    assert.equal(await check(), null);
  });

  it('is content with journals seen within ten minutes', async () => {
    const finding = await check(journal('a', 0), journal('b', 10 * MINUTE));
    assert.equal(finding?.status, 'ok');
    assert.match(finding.message, /^2 journals/);
  });

  it('names those that were not, the longest absent first', async () => {
    const finding = await check(journal('a', 0), journal('b', 11 * MINUTE), journal('c', 600 * MINUTE, true));
    assert.equal(finding?.status, 'warn');
    assert.equal(
      finding.message,
      '2 of 3 journals not seen: cccccccc for 10 h, with an unfinished batch; bbbbbbbb for 11 min',
    );
    assert.match(finding.advice ?? '', /journal drain/);
  });

  it('counts the rest of many', async () => {
    const finding = await check(...['1', '2', '3', '4', '5', '6', '7'].map((digit) => journal(digit, 20 * MINUTE)));
    assert.match(finding?.message ?? '', /; and 2 more$/);
  });
});

describe('doctor: gateways', () => {
  const gateway = (digit: string, aheadMs: number): GatewayInfo => ({
    gatewayId: digit.repeat(32),
    version: '1.2.3',
    silentMs: 3000,
    aheadMs,
  });
  const look = (...gateways: GatewayInfo[]) => checkGateways({ listGateways: async () => gateways });

  it('has nothing to say about a store of one machine', async () => {
    assert.equal(await look(), null);
  });

  it('shows each that lives, with its version and clock', async () => {
    const finding = await look(gateway('a', 40), gateway('b', -2500));
    assert.equal(finding?.status, 'ok');
    assert.deepEqual(finding.message.split('\n'), [
      '2 gateways are running',
      "aaaaaaaa: version 1.2.3, seen 3 s ago, clock 0.0 s ahead of the store's",
      "bbbbbbbb: version 1.2.3, seen 3 s ago, clock 2.5 s behind the store's",
    ]);
  });

  it('warns of a clock that is wrong, in either direction', async () => {
    for (const aheadMs of [5001, -5001]) {
      const finding = await look(gateway('a', 0), gateway('b', aheadMs));
      assert.equal(finding?.status, 'warn');
      assert.match(finding.advice ?? '', /NTP/);
    }
    assert.equal((await look(gateway('a', 5000)))?.status, 'ok');
  });
});
