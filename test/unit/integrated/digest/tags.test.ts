import assert from 'node:assert/strict';
import { tagsToCount } from '../../../../src/integrated/digest/tags.ts';
import { normalise } from './digest-support.ts';

describe('tags that are counted', () => {
  const count = (raw: unknown) => tagsToCount(normalise(raw));

  it('are derived from members of the event', () => {
    const raw = {
      level: 'warning',
      environment: 'prod',
      release: 'r1',
      server_name: 'web-1',
      transaction: 'GET /',
      logger: 'app',
      request: { url: 'https://h/p?token=x' },
      exception: { type: 'E', mechanism: { type: 'http', handled: false } },
      contexts: {
        runtime: { name: 'node', version: 'v20' },
        os: { name: 'Debian', version: '12.11\n' },
        browser: { name: 'Firefox' },
        device: { model: 'Pixel 9', family: 'Pixel' },
      },
    };
    assert.deepEqual(count(raw), [
      ['level', 'warning'],
      ['environment', 'prod'],
      ['release', 'r1'],
      ['server_name', 'web-1'],
      ['transaction', 'GET /'],
      ['logger', 'app'],
      ['url', 'https://h/p'],
      ['url.host', 'h'],
      ['handled', 'no'],
      ['mechanism', 'http'],
      ['runtime', 'node v20'],
      ['runtime.name', 'node'],
      ['os', 'Debian 12.11'],
      ['os.name', 'Debian'],
      ['browser', 'Firefox'],
      ['browser.name', 'Firefox'],
      ['device', 'Pixel 9'],
    ]);
  });

  it('tags of the SDK win over derived ones, except those used by filters', () => {
    const raw = {
      level: 'info',
      server_name: 'a',
      tags: { server_name: 'b', level: 'loud', 'os.name': 'mine' },
      contexts: { os: { name: 'x' } },
    };
    assert.deepEqual(count(raw), [
      ['level', 'info'],
      ['server_name', 'b'],
      ['os.name', 'mine'],
      ['os', 'x'],
    ]);
  });

  it('handled: no if an exception of the chain was unhandled, else yes if one was handled, else no tag', () => {
    const handled = (...words: unknown[]) =>
      Object.fromEntries(count({ exception: words.map((word) => ({ type: 'E', mechanism: { handled: word } })) }))
        .handled;
    assert.equal(handled(false, true), 'no');
    assert.equal(handled(true, null), 'yes');
    assert.equal(handled(null), undefined);
  });

  it('values are cut to 200 characters', () => {
    const value = Object.fromEntries(count({ contexts: { os: { name: 'x'.repeat(300) } } })).os;
    assert.equal(value, `${'x'.repeat(197)}...`);
  });

  it('contexts that are not text, or were filtered, give no tag', () => {
    const event = normalise({ contexts: { os: { name: { a: 1 } }, device: { model: 5 } } });
    event.contexts.runtime = '[Filtered]';
    assert.deepEqual(tagsToCount(event), [['level', 'error']]);
  });
});
