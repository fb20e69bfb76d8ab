import assert from 'node:assert/strict';
import { WaitingAges } from '../../../../../src/integrated/intake/journal/waiting-ages.ts';

describe('waiting ages', () => {
  it('knows the oldest to within a second and nothing when all is digested', () => {
    const ages = new WaitingAges();
    assert.equal(ages.oldest(), null);
    ages.add(1, 100, 5000);
    ages.add(1, 200, 5400);
    ages.add(1, 300, 6100);
    ages.add(2, 50, 6200);
    assert.equal(ages.oldest(), 5000);
    ages.digestedUpTo({ segment: 1, offset: 199 });
    assert.equal(ages.oldest(), 5000);
    ages.digestedUpTo({ segment: 1, offset: 200 });
    assert.equal(ages.oldest(), 6100);
    ages.digestedUpTo({ segment: 2, offset: 0 });
    assert.equal(ages.oldest(), 6200);
    ages.digestedUpTo({ segment: 2, offset: 50 });
    assert.equal(ages.oldest(), null);
    ages.add(2, 90, 6300);
    assert.equal(ages.oldest(), 6300);
  });

  it('stays small and right through a long backlog', () => {
    const ages = new WaitingAges();
    for (let i = 1; i <= 5000; i += 1) {
      ages.add(1, i, i * 1000);
    }
    for (let i = 1; i < 5000; i += 1) {
      ages.digestedUpTo({ segment: 1, offset: i });
      assert.equal(ages.oldest(), (i + 1) * 1000);
    }
  });
});
