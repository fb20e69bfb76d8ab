import assert from 'node:assert/strict';
import { foldGroup, numbersToMerge, type GroupMember } from '../../../../src/storage/merge/group.ts';
import { hexId } from '../../../support/store-data.ts';

function member(id: number, at: number, searchText = `text ${id}`): GroupMember {
  const occurrence = { at, eventId: hexId(`${id} ${at}`), release: `r${id}` };
  const texts = {
    type: null,
    message: null,
    title: `t${id}`,
    culprit: null,
    level: 'error',
    platform: 'node',
  } as const;
  return {
    id,
    count: id,
    userCount: 2 * id,
    baseUsers: null,
    progress: { newest: null, passed: null, events: 0, users: 0 },
    newestReceived: at + 1,
    first: occurrence,
    last: { ...occurrence, ...texts },
    searchText,
  };
}

describe('foldGroup', () => {
  it('adds up and takes the first, the last and the newest of all', () => {
    const sums = foldGroup([member(3, 30), member(1, 20), member(2, 50)]);
    assert.deepEqual([sums.count, sums.memberUsers, sums.members, sums.newestReceived], [6, 12, [1, 2, 3], 51]);
    assert.deepEqual([sums.first.release, sums.last.title], ['r1', 't2']);
  });

  it('has every text once, up to a bound that cuts no character in two', () => {
    assert.equal(foldGroup([member(1, 1, 'same\none'), member(2, 2, 'same\ntwo')]).searchText, 'same\none\ntwo');
    const long = foldGroup([member(1, 1, `${'x'.repeat(65_535)}😀`)]).searchText;
    assert.ok(long.isWellFormed() && long.length === 65_536);
  });

  it('needs a member', () => {
    assert.throws(() => foldGroup([]), RangeError);
  });
});

describe('numbersToMerge', () => {
  it('reads each number once, and says when one cannot be one', () => {
    assert.deepEqual(numbersToMerge(['17', '18', '17']), [17, 18]);
    assert.equal(numbersToMerge(['17', 'f'.repeat(32)]), null);
    assert.throws(() => numbersToMerge(['17', '17']), { code: 'bad_request' });
  });
});
