import assert from 'node:assert/strict';
import { faults } from '../../support/fake-tracker/faults.ts';
import { useReader } from '../../support/reader-world.ts';

describe('kind of a tracker that fails meanwhile', () => {
  const w = useReader('glitchtip');

  for (const fault of [faults.status(502), faults.htmlLogin(), faults.reset()]) {
    it(`is not taken for another one after ${fault.name}`, async () => {
      w.source.fail(fault, /\/api\/settings\//, 1);
      const reader = await w.open();
      assert.equal(reader.kind, 'glitchtip');
      reader.close();
    });
  }
});
