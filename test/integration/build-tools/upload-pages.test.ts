import assert from 'node:assert/strict';
import { startApp, type RunningApp } from '../../support/app.ts';
import { makeArtifact } from '../../support/artifact-data.ts';
import { givenMember } from '../../support/factories.ts';
import { hexId } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

/** More than a search reads at once, twice. */
const COUNT = 230;
const idOf = (at: number): string => hexId(`page ${at}`, 40);

describeOnStores('pages of many uploads', (kind, suite) => {
  suite.timeout(60_000);
  let app: RunningApp;
  let list: (
    query: string,
  ) => Promise<{ readonly ids: string[]; readonly total: string | null; readonly link: string }>;

  before(async () => {
    app = await startApp(kind);
    const project = await app.store.createProject({ path: 'demo/many', name: 'many', visibility: 'private' });
    for (let at = 0; at < COUNT; at += 1) {
      const release = at % 2 === 0 ? 'even@1' : null;
      await app.store.putBundle(makeArtifact(project, { id: idOf(at), release, uploadedAt: at }), []);
    }
    const { token } = await givenMember(app.store, project, 'reporter');
    list = async (query) => {
      const answer = await app.get(`/api/v4/projects/${project.id}/error_tracking/artifacts?${query}`, token);
      assert.equal(answer.status, 200, answer.text);
      return {
        ids: (answer.json() as { id: string }[]).map(({ id }) => id),
        total: answer.headers.get('x-total'),
        link: answer.headers.get('link') ?? '',
      };
    };
  });
  after(() => app.close());

  const newestFirst = Array.from({ length: COUNT }, (_, n) => COUNT - 1 - n);
  const even = newestFirst.filter((at) => at % 2 === 0);

  it('have all of them in turn, of a release, and of a search', async () => {
    for (const [query, all] of [
      ['', newestFirst],
      ['release=even@1&', even],
      ['search=EVEN&', even],
      ['release=even@1&search=even&', even],
    ] as const) {
      for (const page of [1, 2, 3, 4]) {
        const { ids, total, link } = await list(`${query}per_page=50&page=${page}`);
        assert.deepEqual(ids, all.slice((page - 1) * 50, page * 50).map(idOf), `${query}${page}`);
        assert.equal(total, String(all.length));
        assert.equal(link.includes('rel="next"'), page * 50 < all.length, link);
      }
    }
    assert.deepEqual((await list(`search=${idOf(3)}`)).ids, [idOf(3)], 'the oldest are sought as well');
  });

  it('beyond the last one are empty', async () => {
    for (const query of ['page=1000&', `page=${Number.MAX_SAFE_INTEGER}&per_page=100&`]) {
      for (const filter of ['', 'release=even@1', 'search=even', 'release=none@1', 'search=none']) {
        assert.deepEqual((await list(`${query}${filter}`)).ids, [], query + filter);
      }
    }
  });
});
