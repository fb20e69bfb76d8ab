import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import {
  getProject,
  listOrganizationProjects,
  listOrganizations,
  listProjects,
} from '../../../../src/thirdparty/endpoints/projects.ts';
import { recordedBody } from '../support/recorded-body.ts';
import { scriptedSession, type Answer } from '../support/scripted-session.ts';

const next = (cursor: string) => `<https://inside.example/?cursor=${cursor}>; rel="next"; results="true"`;
const always = (answer: Answer) => scriptedSession(() => answer).session;
const project = (id: number, patch: object = {}) => ({
  id: String(id),
  name: `P${id}`,
  slug: `p${id}`,
  organization: 'acme',
  ...patch,
});

describe('third-party projects', () => {
  it('of a recorded GlitchTip', async () => {
    assert.deepEqual(await listProjects(always({ body: recordedBody('projects') })), {
      kind: 'listed',
      cut: false,
      unusable: [],
      items: [
        {
          id: '1',
          name: 'bench',
          slug: 'bench',
          status: 'active',
          organizationId: '1',
          organizationName: 'bench',
          organizationSlug: 'bench',
        },
      ],
    });
    const organizations = await listOrganizations(always({ body: recordedBody('organizations') }));
    assert.ok(organizations.kind === 'listed');
    assert.deepEqual(organizations.items, [{ id: '1', name: 'bench', slug: 'bench' }]);
    const below = await listOrganizationProjects(
      always({ body: recordedBody('organization-projects') }),
      organizations.items[0]!,
    );
    assert.ok(below.kind === 'listed');
    assert.equal(below.items[0]?.organizationSlug, 'bench');
  });

  it('on all pages, and only from the tracker itself', async () => {
    const { session, asked } = scriptedSession((_path, query) => {
      const page = Number(query.get('cursor') ?? '1');
      return { body: [project(page)], ...(page < 4 ? { link: next(String(page + 1)) } : {}) };
    });
    const listing = await listProjects(session);
    assert.ok(listing.kind === 'listed');
    assert.deepEqual(listing.items.map(({ id }) => id), ['1', '2', '3', '4']); // prettier-ignore
    assert.equal(asked[1], 'GET /api/0/projects/?cursor=2');
  });

  it('on pages without end: stops, and says that it did', async () => {
    const circle = scriptedSession(() => ({ body: [project(1)], link: next('same') }));
    await listProjects(circle.session);
    assert.equal(circle.asked.length, 2);
    let page = 0;
    const endless = scriptedSession(() => ({ body: [], link: next(String((page += 1))) }));
    const listing = await listProjects(endless.session);
    assert.ok(listing.kind === 'listed' && listing.cut);
    assert.equal(endless.asked.length, 50);
  });

  it('with the organization as object or as slug, and not without one; with ids as numbers', async () => {
    const body = [
      project(1, { organization: { id: 2, slug: 'acme' } }),
      project(2, { organization: 'acme', id: 7, status: { id: 'disabled' } }),
      project(3, { organization: null, status: null }),
    ];
    const listing = await listProjects(always({ body }));
    assert.ok(listing.kind === 'listed');
    assert.deepEqual(
      listing.items.map(({ id, status, organizationId, organizationName, organizationSlug }) => [id, status, organizationId, organizationName, organizationSlug]), // prettier-ignore
      [
        ['1', 'active', '2', 'acme', 'acme'],
        ['7', 'disabled', '', 'acme', 'acme'],
      ],
    );
  });

  it('never with what is secret in them', async () => {
    const found = await getProject(always({ body: project(1, { securityToken: 'hush' }) }), 'acme', 'p1');
    assert.ok(found.kind === 'found' && !JSON.stringify(found).includes('hush'));
    assert.equal(found.project.organizationSlug, 'acme');
  });

  it('hands a refusal on', async () => {
    for (const status of [302, 401, 403, 404, 410]) {
      const listing = await listProjects(always({ status }));
      assert.ok(listing.kind === 'refused' && listing.reply.status === status);
      const found = await getProject(always({ status }), 'acme', 'shop');
      assert.ok(found.kind === 'refused' && found.reply.status === status);
    }
  });

  it('refuses what is no list of projects', async () => {
    for (const body of [{ auth: null, version: '0' }, [[]], [5]]) {
      await assert.rejects(
        listProjects(always({ body })),
        (error: unknown) => error instanceof AppError && error.code === 'tracker_invalid_answer',
      );
    }
  });

  // One row that cannot be used does not cost the list, even when there is no other row.
  it('answers an empty list where the only project has no id, and names it', async () => {
    const listing = await listProjects(always({ body: [{ slug: 'x', name: 'x' }] }));
    assert.ok(listing.kind === 'listed');
    assert.deepEqual([listing.items, listing.unusable.map(({ name }) => name)], [[], ['x']]);
  });
});
