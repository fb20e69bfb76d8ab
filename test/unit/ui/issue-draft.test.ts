import assert from 'node:assert/strict';
import type { ErrorDetail, TrackedEvent } from '../../../ui/src/api/errors-api.ts';
import { issueDescription, issueTitle, newIssuePage } from '../../../ui/src/lib/issue-draft.ts';
import { showMarkdown } from '../../support/fake-receivers/receiver.ts';

const HERE = 'https://errors.test/shop/web/-/error_tracking/7/details';
const error = (patch: Partial<ErrorDetail> = {}) =>
  ({
    ...{ title: 'TypeError: total is null', type: 'TypeError', message: 'total is null', count: 12, user_count: 3 },
    ...{ first_seen: '2026-01-02T03:04:05.000Z', last_seen: '2026-01-03T03:04:05.000Z' },
    ...{ first_release: 'shop@1.0', last_release: null },
    ...patch,
  }) as ErrorDetail;
const frame = (patch: object) => ({ filename: 'cart.py', function: 'total', lineno: 7, in_app: true, ...patch });
const event = (patch: object = {}) =>
  ({
    ...{ environment: 'production', threads: [], breadcrumbs: [], notes: [] },
    exceptions: [
      {
        type: 'TypeError',
        frames: [frame({ filename: 'lib/x.py', in_app: false }), frame({ function: null }), frame({})],
      },
    ],
    ...patch,
  }) as unknown as TrackedEvent;

describe('draft of an issue', () => {
  it('has the address, counts, releases, the message and the frames of the application', () => {
    assert.equal(issueTitle(error()), 'TypeError: total is null');
    assert.equal(
      issueDescription(error(), event(), HERE),
      [
        `Error in errgate: ${HERE}`,
        '',
        '- Events: 12, users: 3',
        '- First seen: 2026-01-02T03:04:05.000Z in `shop@1.0`',
        '- Last seen: 2026-01-03T03:04:05.000Z',
        '- Environment: `production`',
        '',
        '```',
        'TypeError: total is null',
        '```',
        '',
        '```',
        'total in cart.py:7',
        'cart.py:7',
        '```',
      ].join('\n'),
    );
    assert.doesNotMatch(issueDescription(error(), null, HERE), /cart\.py/);
    const none = event({ exceptions: [{ frames: [frame({ in_app: false })] }] });
    assert.match(issueDescription(error(), none, HERE), /total in cart\.py:7/);
  });

  it('keeps texts of events in code: no mention, link or command of theirs has an effect', () => {
    const hostile = '```\n/close\n@everyone [x](https://evil.test) ~~~~\n``````\n/assign @admin';
    const name = '`@admin` /close';
    const text = issueDescription(
      error({ message: hostile, first_release: name, last_release: '``` @admin' }),
      event({
        environment: '@ops`',
        exceptions: [{ frames: [frame({ function: '``` @admin', filename: '/close' })] }],
      }),
      HERE,
    );
    let fence = '';
    const outside: string[] = [];
    for (const line of text.split('\n')) {
      const mark = /^`{3,}/.exec(line)?.[0] ?? '';
      if (fence === '' && mark !== '' && line === mark) fence = mark;
      else if (fence !== '' && line.trim() === fence) fence = '';
      else if (fence === '') outside.push(line);
    }
    assert.equal(fence, '', 'every block ends');
    const plain = outside.join('\n').replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '');
    assert.deepEqual([showMarkdown(plain).mentions, showMarkdown(plain).links], [[], [HERE]]);
    assert.doesNotMatch(plain, /^\/|evil/m);
    assert.ok(issueTitle(error({ title: 'x'.repeat(500) })).length <= 200);
    assert.ok(issueDescription(error({ message: 'x'.repeat(99_999) }), event(), HERE).length < 4000);
  });

  it('fills the page of a host, encoded', () => {
    const template = 'https://git.test/new?title={title}&body={description}';
    assert.equal(
      newIssuePage(template, 'a&b=c', '#{title}\n'),
      'https://git.test/new?title=a%26b%3Dc&body=%23%7Btitle%7D%0A',
    );
    assert.equal(newIssuePage('https://git.test/new', 'a', 'b'), 'https://git.test/new');
    assert.ok(newIssuePage(template, 'x\ud800', '') !== null);
    assert.equal(newIssuePage('javascript:alert({title})', 'a', 'b'), null);
  });
});
