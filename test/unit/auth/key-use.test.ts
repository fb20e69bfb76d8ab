import assert from 'node:assert/strict';
import { KeyUses } from '../../../src/auth/key-use.ts';
import type { KeyUse } from '../../../src/domain/ports/stores/tracking-store.ts';

describe('uses of keys', () => {
  it('are written to the store together, the latest of each key, and again after a failure', async () => {
    const clock = { at: 1000, now: () => clock.at };
    const written: (readonly KeyUse[])[] = [];
    let away = false;
    const store = {
      touchKeys: async (uses: readonly KeyUse[]) => {
        if (away) throw new Error('away');
        written.push(uses);
      },
    };
    const uses = new KeyUses({ store, clock });
    await uses.flush();
    uses.note(7);
    clock.at = 2000;
    uses.note(7);
    uses.note(8);
    away = true;
    const flushing = uses.flush();
    clock.at = 3000;
    uses.note(8);
    await flushing;
    assert.equal(written.length, 0);
    away = false;
    await uses.stop();
    await uses.stop();
    assert.deepEqual(
      written.map((list) => [...list].sort((a, b) => a.keyId - b.keyId)),
      [
        [
          { keyId: 7, usedAt: 2000 },
          { keyId: 8, usedAt: 3000 },
        ],
      ],
    );
  });
});
