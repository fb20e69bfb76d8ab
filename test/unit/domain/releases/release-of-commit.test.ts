import assert from 'node:assert/strict';
import { commitName, releaseOfCommit } from '../../../../src/domain/releases/release-of-commit.ts';

const COMMIT = 'f00dbabe0123456789abcdef0123456789abcdef';

describe('the name of a commit', () => {
  it('is in lower case where it is hexadecimal', () => {
    assert.equal(commitName(' BeefCafe0123 '), 'beefcafe0123');
    assert.equal(commitName('Change-Id 42'), 'Change-Id 42');
  });
});

describe('the release of a commit', () => {
  for (const [releases, commit, found] of [
    [[COMMIT], COMMIT, COMMIT],
    [['2.0', 'shop@1.4.2+f00dbabe', 'shop@1.4.1+f00dbabe'], COMMIT, 'shop@1.4.2+f00dbabe'],
    [[`shop-${COMMIT.toUpperCase()}`], 'f00dbabe', `shop-${COMMIT.toUpperCase()}`],
    [['shop@f00dbab'], ' F00DBABE ', 'shop@f00dbab'],
    [['shop@f00dba'], COMMIT, null],
    [['shop@f00dbabe'], 'f00dba', null],
    [['shop@f00dbabf'], COMMIT, null],
    [['xf00dbabe'], COMMIT, null],
    [['fix/login', ''], 'fix/login', null],
    [[], COMMIT, null],
  ] as const) {
    it(`is ${found ?? 'none'} for ${commit.trim()} among ${releases.length === 0 ? 'none' : releases.join(', ')}`, () => {
      assert.equal(releaseOfCommit(releases, commit), found);
    });
  }
});
