import assert from 'node:assert/strict';
import { browserName } from '../../../ui/src/lib/browser-name.ts';

const NAMES = {
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36':
    'Chrome on Windows',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0':
    'Microsoft Edge on Windows',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1':
    'Safari on iOS',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36':
    'Chrome on Android',
  'Mozilla/5.0 (X11; CrOS x86_64 16093.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36':
    'Chrome on ChromeOS',
  'curl/8.5.0': 'curl',
  node: 'node',
  '<script>alert(1)</script>': '<script>alert',
  '(none)': 'Unknown browser',
  ' ': 'Unknown browser',
} as const;

describe('names of browsers', () => {
  for (const [userAgent, name] of Object.entries(NAMES)) {
    it(`say ${name} for ${userAgent.slice(0, 60)}`, () => {
      assert.equal(browserName(userAgent), name);
    });
  }

  it('say that a browser without a name is not known, and take any text', () => {
    assert.equal(browserName(null), 'Unknown browser');
    assert.equal(typeof browserName('a'.repeat(200)), 'string');
    assert.equal(typeof browserName(`Mozilla/5.0 (${'X11; '.repeat(38)}`), 'string');
  });
});
