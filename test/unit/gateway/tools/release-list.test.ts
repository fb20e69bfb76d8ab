import assert from 'node:assert/strict';
import { presentToolRelease } from '../../../../src/gateway/tools/release-presenter.ts';
import { announced } from '../../../../src/gateway/tools/releases.ts';
import type { ToolCall } from '../../../../src/gateway/tools/tool-route.ts';
import type { Store } from '../../../../src/domain/ports/stores/store.ts';
import { makeProject, NOON } from '../../../support/store-data.ts';
import { makeLocalSqlite, type StoreHarness } from '../../../support/store-harness.ts';

/** Rows of the store in an answer: those of a list, or one. */
const rowsIn = (answer: unknown): number => (Array.isArray(answer) ? answer.length : 1);

/** Counts the rows that methods of a store return. */
function counting(store: Store) {
  let rows = 0;
  const counted = new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        const answer: unknown = await Reflect.apply(method, target, args);
        rows += rowsIn(answer);
        return answer;
      };
    },
  });
  return { counted, rows: () => rows };
}

describe('the list of announced releases', function () {
  this.timeout(60_000);
  const [releases, commits] = [30, 40];
  let harness: StoreHarness;

  before(async () => {
    harness = await makeLocalSqlite();
  });
  after(() => harness.dispose());

  it('has the number of commits and the last one of each, without reading the others', async () => {
    const { store } = harness;
    const project = await makeProject(store);
    const commit = { repository: null, authorName: 'Ada', authorEmail: null, message: 'fix', at: NOON, files: [] };
    for (let index = 0; index < releases; index += 1) {
      const release = `app@${index}`;
      await store.saveBuildRelease(project.id, release, {}, NOON + index);
      const rows = Array.from({ length: commits }, (_, place) => ({ ...commit, commit: `c${index}-${place}` }));
      await store.putCommits(project.id, release, rows);
    }
    const { counted, rows } = counting(store);
    const call = { deps: { store: counted } } as unknown as ToolCall;
    const list = await announced(call, [project]);
    const shown = await Promise.all(list.map((release) => presentToolRelease(call, release)));
    assert.equal(shown.length, releases);
    for (const { version, commitCount, lastCommit } of shown) {
      assert.deepEqual([commitCount, lastCommit?.id], [commits, `c${version.replace('app@', '')}-0`]);
    }
    assert.ok(rows() <= 3 * releases, `${rows()} rows were read`);
  });
});
