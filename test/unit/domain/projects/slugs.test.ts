import assert from 'node:assert/strict';
import { organizationOf, projectOfSlug, slugOf } from '../../../../src/domain/projects/slugs.ts';

describe('names of projects for build tools', () => {
  const projects = [
    { id: 1, path: 'acme/shop' },
    { id: 2, path: 'acme/front/web' },
    { id: 3, path: 'acme/a-b' },
    { id: 4, path: 'acme/a/b' },
    { id: 5, path: 'acme/1' },
  ];

  it('are the first part of the path, and the rest with hyphens', () => {
    assert.deepEqual(
      projects.map(organizationOf),
      Array.from({ length: 5 }, () => 'acme'),
    );
    assert.deepEqual(projects.map(slugOf), ['shop', 'front-web', 'a-b', 'a-b', '1']);
  });

  it('find a project by a slug that it had, after those of now and ids', () => {
    const moved = [
      { id: 1, path: 'store/web', formerPaths: ['shop/front/web', 'shop/2'] },
      { id: 2, path: 'shop/web', formerPaths: ['shop/old'] },
      { id: 3, path: 'shop/app', formerPaths: ['shop/web-app', 'shop/old'] },
    ];
    const find = (name: string) => projectOfSlug(moved, name)?.id ?? null;
    assert.deepEqual(['Front-Web', '2', 'web-app', 'app'].map(find), [1, 2, 3, 3]); // prettier-ignore
    assert.deepEqual(['web', 'old', 'shop'].map(find), [null, null, null], 'two projects, or none');
  });

  it('find a project by slug in any case, or by id; an ambiguous slug finds none', () => {
    const find = (name: string) => projectOfSlug(projects, name)?.id ?? null;
    assert.deepEqual(['shop', 'SHOP', 'Front-Web', '2', 'a-b', '3', '1', '9', ''].map(find), [
      1,
      1,
      2,
      2,
      null,
      3,
      5,
      null,
      null,
    ]);
  });
});
