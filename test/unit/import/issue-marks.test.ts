import assert from 'node:assert/strict';
import { EntryLog } from '../../../src/import/state/entry-log.ts';
import { IssueMarks, type IssueMark } from '../../../src/import/state/issue-marks.ts';

class States {
  readonly rows = new Map<string, string>();
  largest = 0;

  async saveImportState(key: string, state: string): Promise<void> {
    this.rows.set(key, state);
    this.largest = Math.max(this.largest, state.length);
  }

  async listImportStates(prefix: string): Promise<(readonly [string, string])[]> {
    return [...this.rows].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  get filled(): number {
    return [...this.rows.values()].filter((text) => text !== '{}').length;
  }
}

const markOf = (seen: number): IssueMark => ({
  ...{ seen, listed: 'a'.repeat(11), triage: 'b'.repeat(11), details: 'c'.repeat(11), reported: 0, own: 0 },
});
const opened = (states: States) => new IssueMarks(states, '1/run/shop').open();

describe('marks of issues', () => {
  it('are kept, replaced and forgotten', async () => {
    const states = new States();
    const marks = await opened(states);
    marks.set('1', markOf(1));
    marks.set('__proto__', markOf(2));
    marks.set('3', markOf(3));
    await marks.save();
    marks.set('1', markOf(10));
    marks.delete('3');
    await marks.save();
    const again = await opened(states);
    assert.deepEqual([again.get('1')?.seen, again.get('__proto__')?.seen, again.get('3')], [10, 2, undefined]);
    await again.clear();
    assert.equal((await opened(states)).get('1'), undefined);
    assert.equal(states.filled, 0);
  });

  it('forget those of issues that were seen longest ago beyond 50,000', async () => {
    const states = new States();
    const marks = await opened(states);
    for (let n = 0; n < 50_001; n += 1) marks.set(`issue ${n}`, markOf(n));
    await marks.save();
    for (const one of [marks, await opened(states)]) {
      assert.deepEqual(
        [0, 4999, 5000, 50_000].map((n) => one.get(`issue ${n}`)?.seen),
        [undefined, undefined, 5000, 50_000],
      );
    }
    // Far below the bound of a state.
    assert.ok(states.largest < 200_000, `${states.largest} characters in one state`);
  });

  it('take no more room with every run', async () => {
    const states = new States();
    for (let turn = 0; turn < 30; turn += 1) {
      const marks = await opened(states);
      for (let n = 0; n < 600; n += 1) marks.set(`issue ${n}`, markOf(turn));
      await marks.save();
    }
    assert.ok(states.rows.size < 15, `${states.rows.size} parts`);
    const marks = await opened(states);
    for (let n = 0; n < 600; n += 1) assert.equal(marks.get(`issue ${n}`)?.seen, 29);
  });
});

describe('log of entries', () => {
  it('has all entries when it is killed while it is written again', async () => {
    const states = new States();
    const log = new EntryLog<number>(states, 'a/');
    for (let n = 0; n < 1200; n += 1) log.set(`n${n}`, n);
    await log.save();
    const entries = await log.read();
    let writes = 0;
    const dying = {
      listImportStates: (prefix: string) => states.listImportStates(prefix),
      saveImportState: async (key: string, state: string) => {
        writes += 1;
        if (writes > 1) throw new Error('killed');
        await states.saveImportState(key, state);
      },
    };
    await assert.rejects(new EntryLog<number>(dying, 'a/').rewrite(entries), /killed/);
    assert.deepEqual(await new EntryLog<number>(states, 'a/').read(), entries);
  });
});
