import assert from 'node:assert/strict';
import { repositoryOf } from '../../../../src/domain/projects/repository-of.ts';

describe('repository of a template', () => {
  const known = (template: string) => {
    const found = repositoryOf(template);
    return found === null ? null : [found.name, found.url.href];
  };

  it('is the part of the path before the file, as each host writes it', () => {
    for (const [template, name, url] of [
      ['https://github.com/acme/shop/blob/{ref}/{path}#L{line}', 'acme/shop', 'https://github.com/acme/shop'],
      ['https://gitlab.com/acme/team/shop/-/blob/{ref}/{path}', 'acme/team/shop', 'https://gitlab.com/acme/team/shop'],
      ['https://bitbucket.org/acme/shop/src/{ref}/{path}', 'acme/shop', 'https://bitbucket.org/acme/shop'],
      ['https://git.test:8443/acme/shop/src/branch/main/{path}', 'acme/shop', 'https://git.test:8443/acme/shop'],
    ] as const) {
      assert.deepEqual(known(template), [name, url]);
    }
  });

  it('is unknown in other forms', () => {
    for (const template of [
      'https://git.test/{path}',
      'https://git.test/shop/blob/{path}',
      '{path}',
      'https://git.test/a/b',
    ]) {
      assert.equal(known(template), null, template);
    }
  });
});
