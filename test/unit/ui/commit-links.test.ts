import assert from 'node:assert/strict';
import { authorText, commitTitle, shortCommit } from '../../../ui/src/lib/commit-texts.ts';
import { commitLink } from '../../../ui/src/lib/repository-presets.ts';

const COMMIT = 'f00dbabe1234567890f00dbabe1234567890f00d';
const of = (url_template: string) => ({ url_template, default_ref: 'main', ref_template: '', prefixes: [] });

describe('commits on pages', () => {
  it('lead to the host of the repository, as it addresses them', () => {
    for (const [template, expected] of [
      ['https://gitlab.com/acme/shop/-/blob/{ref}/{path}#L{line}', `https://gitlab.com/acme/shop/-/commit/${COMMIT}`],
      ['https://github.com/acme/shop/blob/{ref}/{path}#L{line}', `https://github.com/acme/shop/commit/${COMMIT}`],
      ['https://codeberg.org/acme/shop/src/{ref}/{path}#L{line}', `https://codeberg.org/acme/shop/commit/${COMMIT}`],
      [
        'https://bitbucket.org/acme/shop/src/{ref}/{path}#lines-{line}',
        `https://bitbucket.org/acme/shop/commits/${COMMIT}`,
      ],
      ['https://git.test/{ref}/{path}?line={line}', null],
    ] as const) {
      assert.equal(commitLink(COMMIT, of(template)), expected);
    }
    assert.equal(commitLink(COMMIT, null), null);
  });

  it('lead nowhere by a name that is none of a commit', () => {
    const repository = of('https://github.com/acme/shop/blob/{ref}/{path}#L{line}');
    for (const name of ['HEAD', '../../evil', 'f00d', 'f00dbabe1?x', 'https://evil.test']) {
      assert.equal(commitLink(name, repository), null, name);
    }
  });

  it('are named by the beginning of their digits, their author and their title', () => {
    assert.equal(shortCommit(COMMIT), 'f00dbabe12');
    assert.equal(shortCommit('r1234'), 'r1234');
    assert.equal(authorText({ author_name: ' ', author_email: 'a@b.test' }), 'a@b.test');
    assert.equal(authorText({ author_name: null, author_email: null }), 'unknown author');
    assert.equal(authorText({ author_name: 'Eve\u202e', author_email: null }), 'Eve‹U+202E›');
    assert.equal(commitTitle(null), '(no message)');
    assert.equal(commitTitle('x'.repeat(500)).length <= 161, true);
  });
});
