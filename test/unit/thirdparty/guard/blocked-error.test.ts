import assert from 'node:assert/strict';
import { blockCure, BlockedError } from '../../../../src/thirdparty/guard/blocked-error.ts';
import { createUrlGuard, type UrlGuard, type UrlGuardOptions } from '../../../../src/thirdparty/guard/url-guard.ts';

const guardWith = (options: Partial<UrlGuardOptions> = {}) =>
  createUrlGuard({ allow: '', ownAddresses: () => new Set(), ...options });

/** Fails with what a connection to the address would fail with. */
function connected(guard: UrlGuard, address: string): Promise<void> {
  const url = new URL(address);
  return new Promise((resolve, reject) => {
    guard.lookupFor(url)(url.hostname, { all: true }, (error) => (error === null ? resolve() : reject(error)));
  });
}

describe('what helps against a refusal of the URL guard', () => {
  const METADATA_CURE = /always refused: enter the address of the tracker$/;
  type Row = [options: Partial<UrlGuardOptions>, address: string, kind: string, cure: RegExp];
  const rows: Row[] = [
    [{}, 'ftp://a.example', 'form', /^correct the address of the tracker$/],
    [{}, 'https://a.example:22', 'port', /ERRGATE_OUTBOUND_ALLOW=a\.example:22 and restart errgate$/],
    [
      {},
      'http://10.0.0.1:9000',
      'local',
      /ask an operator to set ERRGATE_OUTBOUND_ALLOW=10\.0\.0\.1:9000 and restart errgate$/,
    ],
    [{}, 'http://localhost:9000', 'local', /ERRGATE_OUTBOUND_ALLOW=localhost:9000 and restart errgate$/],
    [{}, 'http://[fd00::1]', 'local', /ERRGATE_OUTBOUND_ALLOW=\[fd00::1\] and restart errgate$/],
    [
      { onlyAllowed: true },
      'http://9.9.9.9',
      'unlisted',
      /outbound\.onlyAllowed\); ask .* ERRGATE_OUTBOUND_ALLOW=9\.9\.9\.9 and restart errgate$/,
    ],
    [{ onlyAllowed: true }, 'http://10.0.0.1', 'local', /ERRGATE_OUTBOUND_ALLOW=10\.0\.0\.1 and restart errgate$/],
    ...[{}, { onlyAllowed: true }, { allow: '169.254.0.0/16' }].flatMap((options): Row[] => [
      [options, 'http://169.254.169.254', 'metadata', METADATA_CURE],
      [options, 'http://[64:ff9b::169.254.169.254]', 'metadata', METADATA_CURE],
      [options, 'http://168.63.129.16', 'metadata', METADATA_CURE],
      [options, 'http://metadata.google.internal', 'metadata', METADATA_CURE],
    ]),
  ];
  for (const [options, address, kind, cure] of rows) {
    it(`against the refusal of ${address} with ${JSON.stringify(options)}`, () => {
      const refusal = guardWith(options).refusal(address);
      assert.ok(refusal !== null);
      const said = blockCure(refusal.kind, new URL(address).host);
      assert.equal(refusal.kind, kind);
      assert.match(said, cure);
      if (kind === 'metadata') assert.doesNotMatch(said, /ERRGATE_OUTBOUND_ALLOW/);
      // What is advised helps.
      const allow = /ERRGATE_OUTBOUND_ALLOW=(.*) and restart errgate$/.exec(said)?.[1];
      if (allow !== undefined) assert.equal(guardWith({ ...options, allow }).refusal(address), null);
    });
  }

  it('is known too of a name, once it is known where it leads', async () => {
    const kinds: [found: string, options: Partial<UrlGuardOptions>, kind: string][] = [
      ['169.254.169.254', {}, 'metadata'],
      ['169.254.169.254', { allow: 'a.example' }, 'metadata'],
      ['10.0.0.1', {}, 'local'],
      ['9.9.9.9', { onlyAllowed: true }, 'unlisted'],
    ];
    for (const [found, options, kind] of kinds) {
      const guard = guardWith({ ...options, resolve: async () => [{ address: found, family: 4 }] });
      await assert.rejects(
        connected(guard, 'http://a.example'),
        (error: unknown) => error instanceof BlockedError && error.kind === kind,
      );
    }
  });
});
