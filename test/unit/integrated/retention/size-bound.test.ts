import assert from 'node:assert/strict';
import { SizeBound } from '../../../../src/integrated/retention/size-bound.ts';

const MINUTE = 60_000;

describe('SizeBound', () => {
  it('takes 0 as no bound', () => {
    assert.equal(new SizeBound(0).surplus({ used: 1e12, falls: 'at_once' }, 0), 0);
  });

  it('counts what was removed once, and only until the server shows it', () => {
    const bound = new SizeBound(1000);
    const size = { used: 1500, falls: 'later' } as const;
    assert.equal(bound.surplus(size, 0), 500);
    bound.removed(400, 0);
    bound.removed(100, 5 * MINUTE);
    assert.equal(bound.surplus(size, 9 * MINUTE), 0);
    assert.equal(bound.surplus({ ...size, used: 1100 }, 11 * MINUTE), 0);
    assert.equal(bound.surplus({ ...size, used: 1100 }, 16 * MINUTE), 100);
  });

  it('does not wait for a clock that was set back', () => {
    const bound = new SizeBound(1000);
    bound.removed(500, 600 * MINUTE);
    assert.equal(bound.surplus({ used: 1500, falls: 'later' }, 0), 500);
  });

  it('stops the growth of files that do not shrink, and asks for it once', () => {
    const bound = new SizeBound(1000);
    const surplus = (used: number) => bound.surplus({ used, falls: 'never' }, 0);
    assert.equal(surplus(900), -100);
    assert.equal(surplus(1200), 200);
    assert.equal(surplus(1200), 0);
    assert.equal(surplus(1250), 50);
    assert.equal(new SizeBound(1000).surplus({ used: 5000, falls: 'never' }, 0), 0, 'as large as it is found');
  });
});
