import assert from 'node:assert/strict';
import { builtCommit } from '../../../../src/domain/artifacts/built-commit.ts';
import type { ReleaseCommit } from '../../../../src/domain/artifacts/build.ts';
import { MAX_FILES_SHOWN, MAX_SUSPECTS, suspectCommits } from '../../../../src/domain/artifacts/suspect-commits.ts';

const commitOf = (commit: string, ...files: string[]): ReleaseCommit => ({
  ...{ projectId: 1, release: 'a@1', place: 0, commit, repository: null, authorName: null, authorEmail: null },
  ...{ message: null, at: null, files, filesLeftOut: 0 },
});
const frameOf = (filename: string | null, more: { abs_path?: string; module?: string; in_app?: boolean } = {}) => ({
  ...{ filename, abs_path: null, module: null, in_app: true },
  ...more,
});

describe('suspect commits', () => {
  const names = (frame: ReturnType<typeof frameOf>, file: string) =>
    suspectCommits([frame], [commitOf('c1', file)]).map(({ commit }) => commit);

  it('changed a file whose path ends as that of a frame, or the frame as it, by whole parts', () => {
    for (const [frame, file] of [
      [frameOf('src/cart.js'), 'src/cart.js'],
      [frameOf('src/cart.js'), 'packages/web/src/cart.js'],
      [frameOf('/app/src/cart.js'), 'src/cart.js'],
      [frameOf('../../src/./cart.js'), 'web/src/cart.js'],
      [frameOf('C:\\app\\src\\cart.cs'), 'src/cart.cs'],
      [frameOf('https://shop.test/src/cart.js?v=2'), 'src/cart.js'],
      [frameOf('cart.py', { abs_path: '/srv/shop/cart.py' }), 'shop/cart.py'],
      [frameOf('Cart.java', { module: 'com.acme.shop.Cart' }), 'app/src/main/java/com/acme/shop/Cart.java'],
      [frameOf('server.js'), 'server.js'],
    ] as const) {
      assert.deepEqual(names(frame, file), ['c1'], `${String(frame.filename)} ${file}`);
    }
    for (const [frame, file] of [
      [frameOf('src/cart.js'), 'src/mycart.js'],
      [frameOf('rc/cart.js'), 'src/cart.js'],
      [frameOf('cart.js'), 'src/cart.js'],
      [frameOf('/app/lib/index.js'), 'index.js'],
      [frameOf('src/Cart.js'), 'src/cart.js'],
      [frameOf('src/cart.js', { in_app: false }), 'src/cart.js'],
      [frameOf('<anonymous>'), ''],
      [frameOf(null), ''],
    ] as const) {
      assert.deepEqual(names(frame, file), [], `${String(frame.filename)} ${file}`);
    }
  });

  it('come by the frame next to where it happened, then in the order of the tool, at most five', () => {
    const frames = [frameOf('src/main.js'), frameOf('src/cart.js'), frameOf('node_modules/x.js', { in_app: false })];
    const commits = [
      commitOf('c4', 'src/main.js'),
      commitOf('c3', 'README.md'),
      commitOf('c2', 'src/main.js', 'docs/a.md', 'src/cart.js'),
      commitOf('c1', 'src/cart.js'),
    ];
    assert.deepEqual(
      suspectCommits(frames, commits).map(({ commit, files }) => [commit, files]),
      [
        ['c2', ['src/cart.js', 'src/main.js']],
        ['c1', ['src/cart.js']],
        ['c4', ['src/main.js']],
      ],
    );
    const many = Array.from({ length: 20 }, (_, index) => commitOf(`m${index}`, 'src/cart.js'));
    assert.deepEqual(
      suspectCommits(frames, many).map(({ commit }) => commit),
      many.slice(0, MAX_SUSPECTS).map(({ commit }) => commit),
    );
    const wide = commitOf('w', ...Array.from({ length: 30 }, (_, index) => `p${index}/src/cart.js`));
    assert.equal(suspectCommits(frames, [wide])[0]?.files.length, MAX_FILES_SHOWN);
  });

  it('are found in bounded time, also of as many as are kept', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => frameOf(`src/${index}/index.js`));
    const files = Array.from({ length: 500 }, (_, index) => `lib/${index}/index.js`);
    const commits = Array.from({ length: 500 }, (_, index) => commitOf(`c${index}`, ...files));
    const began = process.cpuUsage();
    assert.deepEqual(suspectCommits(frames, commits), []);
    const { user } = process.cpuUsage(began);
    assert.ok(user < 2_000_000, `${user} µs`);
  });
});

describe('the commit of a release', () => {
  const [one, two] = ['f00dbabe1', 'c0ffee002'];
  const ref = (repository: string, commit: string) => ({ repository, commit, previousCommit: null });

  it('is that which the build named, of the repository of the project, else the newest that it sent', () => {
    const announced = { refs: [ref('acme/api', one), ref('Acme/Shop', two)] };
    assert.equal(builtCommit({ announced, commits: [] }, 'acme/shop'), two);
    assert.equal(builtCommit({ announced, commits: [] }, 'acme/other'), null);
    assert.equal(builtCommit({ announced: { refs: [ref('other', one)] }, commits: [] }, 'acme/shop'), one);
    const commits = [
      { commit: two, repository: 'origin' },
      { commit: one, repository: 'origin' },
    ];
    assert.equal(builtCommit({ announced: null, commits }, null), two);
    assert.equal(builtCommit({ announced: { refs: [] }, commits }, 'acme/shop'), two);
  });

  it('is unknown where the name is none of a commit', () => {
    for (const commit of ['HEAD', '../../evil', 'f00d', 'g00dbabe1']) {
      assert.equal(builtCommit({ announced: { refs: [ref('a/b', commit)] }, commits: [] }, 'a/b'), null);
    }
    assert.equal(builtCommit({ announced: null, commits: [] }, 'a/b'), null);
  });
});
