import assert from 'node:assert/strict';
import { scrubText } from '../../../../../src/integrated/digest/scrub/value-patterns.ts';

const F = '[Filtered]';
const scrub = (text: string) => scrubText(text, () => 'plain');

describe('credentials in URLs', () => {
  const rows: [text: string, expected: string][] = [
    ['postgres://user:p@ss-at-secret@db/x', `postgres://${F}@db/x`],
    ['mysql://user:pa/ss-slash@db/x', `mysql://${F}@db/x`],
    ['amqp://u:p#w?d@h/v', `amqp://${F}@h/v`],
    ['postgres://u:123/45@db', `postgres://${F}@db`],
    ['https://ghp_tokenonlyuserinfo@github.com/o/r.git', `https://${F}@github.com/o/r.git`],
    ['https://sk_live_abc:@api.example/', `https://${F}@api.example/`],
    ['redis://:pw@cache/0', `redis://${F}@cache/0`],
    ['http://u:p@h, http://v:q@i', `http://${F}@h, http://${F}@i`],
    ['https://h/?u=https://u:p@i/', `https://h/?u=https://${F}@i/`],
    [`curl "https://u:p'w@h/p"`, `curl "https://${F}@h/p"`],
    ['//user:pass@host.example/x', `//${F}@host.example/x`],
    ['<img src="//user:p@ss@host/x">', `<img src="//${F}@host/x">`],
    ["fetch('//:pw@[::1]:80/')", `fetch('//${F}@[::1]:80/')`],
    ['amqp://user:p@s/s@h:5672/v', `amqp://${F}@h:5672/v`],
    ['dial amqp://user:p@s/s@mq: refused', `dial amqp://${F}@mq: refused`],
    ['("postgres://u:p@s.s/w@rd/x@[::1]/db?a=b@c")', `("postgres://${F}@[::1]/db?a=b@c")`],
    [`redis://:p@s/it's@cache/0`, `redis://${F}@cache/0`],
    ['mysql://u:p@/s@db', `mysql://${F}@db`],
    ['https://u:p@s/s@git.example/o/r', `https://${F}@git.example/o/r`],
    ['ftp://u:p@s?s/x@files:21', `ftp://${F}@files:21`],
    ['smtps://bob@h.example:pa/ss@smtp.example:465', `smtps://${F}@smtp.example:465`],
    ['https://bob@h.example:pa/ss@git.example/', `https://${F}@git.example/`],
    ['amqp://u:p@s/s@h/,amqp://v:q@t/t@i/', `amqp://${F}@h/,amqp://${F}@i/`],
    ['postgres://u:123/45@db,http://h/@scope', `postgres://${F}@db,http://h/@scope`],
    ['postgres://u:123/4?5@db', `postgres://${F}@db`],
  ];
  for (const [text, expected] of rows) {
    it(`${text} goes`, () => assert.equal(scrub(text), expected));
  }
  describe('is removed, and the path behind the host stays', () => {
    for (const rest of [
      'registry.example/@scope/pkg',
      'registry.example/@scope/pkg@1.2.3/file.js',
      'registry:4873/pkg@next.example',
      'registry/npm/@scope/pkg@1.2.3/file.js',
      'registry/npm/@scope.example/pkg',
      'localhost/users/bob@mail.example',
      'h/users?mail=bob@mail.example',
      '[::1]/bob@mail.example',
      'h/ or bob@mail.example',
      'h/<br>bob@mail.example',
      'h/","mail":"bob@mail.example"',
    ]) {
      it(rest, () => assert.equal(scrub(`https://u:p@${rest}`), `https://${F}@${rest}`));
    }
    for (const rest of ['mq:5672/v@x', '[::1]/v@x', 'db/x?user=bob@h', 'db/x?a=b&user=bob@h', 'db/x ask bob@h']) {
      it(rest, () => assert.equal(scrub(`amqp://u:p@${rest}`), `amqp://${F}@${rest}`));
    }
    it('a token', () => assert.equal(scrub('https://a@b/c@d'), `https://${F}@b/c@d`));
  });
  const kept = [
    'https://registry.example/@scope/pkg',
    'https://h.example/c@d.example',
    'https://git@git.example:o/r.git@v.example',
    'amqp://user:%s@s/s@h:5672/v',
    'postgres://db:5432/x,http://h/@scope',
    'git@github.com:o/r.git',
    'ssh://git@github.com:22/o/r.git',
    'https://git@git.example/o/r.git',
    'https://cdn/npm/@scope/pkg@1.2.3/file.js',
    'https://unpkg.example/@sentry/node@8.0.0/x.js',
    'http://localhost:3000/@vite/client',
    'http://[::1]:3000/@fs/a',
    'file://C:/a/node_modules/@scope/x.js',
    'webpack-internal:///./node_modules/@scope/x.js',
    'see http://h:80/a or bob@h.example',
    '{"a":"http://h:80","b":"bob@h.example"}',
    'postgres://db:5432/x?user=a@b',
    'postgres://${user}:${password}@${host}/x',
    'https://%s:%s@%s/x',
    'https://host/?mail=bob@h.example',
    '// user: see docs@host',
    '//todo:ask bob@h.example',
    '//TODO:bob@h.example',
    '//bob@h.example',
    '//host:80/@scope/x',
    '//${user}:${password}@host',
    '//registry.example/:_auth@y',
    'a//b:c@d',
    '//@ts-ignore',
  ];
  for (const text of kept) {
    it(`${text} stays`, () => assert.equal(scrub(text), text));
  }
});
