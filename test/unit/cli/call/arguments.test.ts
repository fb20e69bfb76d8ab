import assert from 'node:assert/strict';
import { InvalidArgumentError } from 'commander';
import {
  parseExpiry,
  parseId,
  parseProjectPath,
  parsePublicKey,
  parseRole,
  parseScopes,
  parseSwitch,
  parseUsername,
} from '../../../../src/cli/call/arguments.ts';
import { accessLevelName } from '../../../../src/domain/projects/account.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

/** Every value that one reader takes, with the result, and those that it refuses. */
function takes<T>(parse: (value: string) => T, good: readonly (readonly [string, T])[], bad: readonly string[]): void {
  for (const [value, result] of good) assert.deepEqual(parse(value), result, value);
  for (const value of bad) assert.throws(() => parse(value), InvalidArgumentError, value);
}

describe('arguments of commands', () => {
  it('reads on and off', () => {
    takes(
      parseSwitch,
      [
        ['on', true],
        ['off', false],
      ],
      ['', 'true', 'ON', '1'],
    );
  });

  it('reads ids', () => {
    takes(
      parseId,
      [
        ['1', 1],
        ['9007199254740991', 9007199254740991],
      ],
      ['0', '-1', '1.5', 'x', '', '9007199254740992'],
    );
  });

  it('reads project paths with at least one group', () => {
    takes(
      parseProjectPath,
      [
        ['demo/shop', 'demo/shop'],
        ['a/b.c/d-e_f', 'a/b.c/d-e_f'],
      ],
      [
        'shop',
        '/shop',
        'demo/',
        'demo//shop',
        'demo/-/x',
        '-/x',
        'api/v4',
        'users/x',
        'demo/sh op',
        'demo/x.git',
        `a/${'b'.repeat(254)}`,
      ],
    );
  });

  it('reads usernames that are no ids', () => {
    takes(
      parseUsername,
      [
        ['root', 'root'],
        ['1st', '1st'],
        ['a.b-c', 'a.b-c'],
      ],
      ['', '42', '-a', 'a b', 'a/b'],
    );
  });

  it('reads public keys', () => {
    takes(
      parsePublicKey,
      [
        ['a', 'a'],
        ['glet_0aF', 'glet_0aF'],
      ],
      ['', 'a-b', 'a b', 'x'.repeat(256)],
    );
  });

  it('reads roles by name and number, and names them', () => {
    takes(
      parseRole,
      [
        ['guest', 10],
        ['Developer', 30],
        ['50', 50],
      ],
      ['admin', '35', ''],
    );
    assert.equal(accessLevelName(40), 'maintainer');
  });

  it('reads scopes', () => {
    takes(
      parseScopes,
      [
        ['api', ['api']],
        ['read_api, api,api', ['read_api', 'api']],
      ],
      ['', 'api,', 'sudo'],
    );
  });

  it('reads the end of a day and numbers of days', () => {
    takes(
      (value) => parseExpiry(value, NOW),
      [
        ['2026-12-31', Date.parse('2026-12-31T23:59:59.999Z')],
        ['2026-11-21', Date.parse('2026-11-21T23:59:59.999Z')],
        ['30d', NOW + 30 * 86_400_000],
        ['1', NOW + 86_400_000],
      ],
      ['2026-11-20', '2027-02-31', '0d', 'tomorrow', '', '-1'],
    );
  });
});
