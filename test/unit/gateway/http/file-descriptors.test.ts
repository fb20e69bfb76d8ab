import assert from 'node:assert/strict';
import { FileDescriptors } from '../../../../src/gateway/http/file-descriptors.ts';

describe('file descriptors', () => {
  it('are logged at once and then every minute while exhausted, and when available again', async () => {
    const clock = { at: 0, now: () => clock.at };
    const lines: string[] = [];
    let failure: Error | null = null;
    const descriptors = new FileDescriptors({
      clock,
      logger: { warn: () => lines.push('none'), info: () => lines.push('again') },
      probe: async () => {
        if (failure !== null) throw failure;
      },
    });
    await descriptors.look();
    assert.deepEqual(lines, []);
    failure = Object.assign(new Error('open EMFILE'), { code: 'EMFILE' });
    for (clock.at = 0; clock.at < 120_000; clock.at += 5000) await descriptors.look();
    assert.deepEqual(lines, ['none', 'none']);
    descriptors.failed(failure);
    assert.equal(lines.length, 3);
    failure = null;
    await descriptors.look();
    await descriptors.look();
    assert.deepEqual(lines.slice(3), ['again']);
  });

  it('are not reported for other errors', async () => {
    const lines: string[] = [];
    const logger = { warn: () => lines.push('warn'), info: () => lines.push('info') };
    const descriptors = new FileDescriptors({ clock: { now: () => 0 }, logger });
    descriptors.failed(Object.assign(new Error('accept ECONNABORTED'), { code: 'ECONNABORTED' }));
    await descriptors.look();
    assert.deepEqual(lines, []);
  });
});
