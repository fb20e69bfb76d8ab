import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeCopiedUpload } from '../../src/artifacts/uploads/copied-upload.ts';
import type { BundleKind } from '../../src/domain/artifacts/artifact.ts';
import { MAX_PATH_LENGTH } from '../../src/domain/artifacts/build.ts';
import { DAY_MS } from '../../src/domain/durations.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { makeBundle, minifiedPair, sha1 } from '../support/build-tools.ts';
import { CommandPlace } from '../support/command-place.ts';
import { SQLITE, describeOnStores } from '../support/test-stores.ts';
import { makeZip } from '../support/zip.ts';

const ID = '85350b67-0000-4000-8000-000000000001';
const UUID = '6dc7fdb0-d2fb-4c8e-9d6b-bb1aa98929b1';
const AT = Date.UTC(2026, 4, 1);
const RELEASE = 'app@1.2.3';
/** The longest path that is kept of a commit. */
const DEEP = 'a/'.repeat(MAX_PATH_LENGTH / 2);
const MAPPING = 'shop.Cart -> a.b:\n    1:3:void price():10:12 -> a\n';
const BUNDLE = makeBundle(minifiedPair(ID), { release: RELEASE });

/** Uploads of every kind: content, and what is known of it. */
const UPLOADS: readonly [Buffer, BundleKind, readonly string[]][] = [
  [BUNDLE, 'sourcemaps', [ID]],
  [Buffer.from(MAPPING), 'proguard', [UUID]],
  [makeZip([{ name: `proguard/${UUID}.txt`, content: Buffer.from(`# zip\n${MAPPING}`) }]), 'proguard', [UUID]],
  [Buffer.from('\x7fELF and more', 'latin1'), 'debug', [ID]],
];

async function* whole(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}

describeOnStores('what builds announced and uploaded', (kind, suite) => {
  suite.timeout(180_000);
  let folder = '';
  let from: CommandPlace;
  let to: CommandPlace;
  let source: Store;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-builds-'));
    from = new CommandPlace(kind, folder, 'from');
    to = new CommandPlace(SQLITE, folder, 'to');
    await from.done('project', 'create', 'acme/shop');
    source = await from.open();
    const [project] = await source.listProjects();
    const { id: projectId } = project!;
    const refs = [{ repository: 'acme/shop', commit: 'c2', previousCommit: 'c1' }];
    await source.saveBuildRelease(projectId, RELEASE, { url: 'https://ci.test/7', releasedAt: AT + 5000, refs }, AT);
    const commit = { repository: 'acme/shop', authorName: 'Ada', authorEmail: 'ada@acme.test', message: 'fix', at: AT };
    await source.putCommits(
      projectId,
      RELEASE,
      ['c2', 'c1'].map((name) => ({ ...commit, commit: name, files: ['src/cart.js', DEEP], filesLeftOut: 3 })),
    );
    const deploy = { projectId, release: RELEASE, name: null, url: null, startedAt: null };
    await source.addDeploy({ ...deploy, environment: 'staging', finishedAt: AT + 6000 });
    await source.addDeploy({ ...deploy, environment: 'production', finishedAt: AT + 7000 });
    for (const [n, [content, of, debugIds]] of UPLOADS.entries()) {
      const upload = { projectId, kind: of, checksum: sha1(content), release: null, dist: null, debugIds };
      await takeCopiedUpload(
        { store: source, workDir: join(folder, 'work'), projectMaxBytes: 1e9 },
        { ...upload, uploadedAt: AT + n, lastUsedAt: n === 0 ? AT + 1000 : null },
        whole(content),
      );
    }
    await from.done('export', '--to', join(folder, 'all'));
  });
  after(async () => {
    for (const each of [from, to]) await each.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns all of it, without the ids that differ from store to store. */
  async function all(store: Store) {
    const [project] = await store.listProjects();
    const { id } = project!;
    const bundles = await store.listBundles(id);
    const maps = (await Promise.all(bundles.map((bundle) => store.mapsOfBundle(id, bundle.id)))).flat();
    const files = [...bundles, ...maps].flatMap(({ file }) => file ?? []);
    const known = (await store.knownFiles(files)).map(({ name }) => name);
    assert.deepEqual(known.sort(), files.sort(), 'all files are there');
    const without = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, id: 0, projectId: 0 }));
    return {
      ids: bundles.map((bundle) => bundle.id),
      bundles: without(bundles),
      maps: without(maps),
      releases: without(await store.listBuildReleases(id)),
      commits: without(await store.commitsOfRelease(id, RELEASE)),
      deploys: without(await store.deploysOfRelease(id, RELEASE)),
    };
  }

  it('is in an export, with uploads as they were sent', () => {
    const dir = join(folder, 'all');
    const contents = readdirSync(join(dir, 'uploads')).map((name) => readFileSync(join(dir, 'uploads', name)));
    assert.deepEqual(contents.map(sha1).sort(), UPLOADS.map(([content]) => sha1(content)).sort());
    const { counts } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
    assert.deepEqual([counts.builds, counts.uploads], [1, UPLOADS.length]);
  });

  it('is the same after an import, and after a second one', async () => {
    const wanted = await all(source);
    assert.deepEqual(
      wanted.maps.map(({ problem }) => problem),
      [null, null, null],
    );
    const first = JSON.parse(await to.done('import', '--from-export', join(folder, 'all'), '--json'));
    assert.deepEqual([first.builds, first.uploads, first.left_outs], [1, UPLOADS.length, []]);
    const store = await to.open();
    assert.deepEqual(await all(store), wanted);
    await to.done('import', '--from-export', join(folder, 'all'));
    assert.deepEqual(await all(store), wanted);
  });

  it('stays as it is here, where a build announced something else', async () => {
    const store = await to.open();
    const [project] = await store.listProjects();
    await store.saveBuildRelease(project!.id, RELEASE, { url: 'https://here.test' }, AT);
    await store.removeBundle(project!.id, sha1(BUNDLE));
    await to.done('import', '--from-export', join(folder, 'all'));
    assert.equal((await store.buildRelease(project!.id, RELEASE))?.url, 'https://here.test');
    assert.equal((await store.bundle(project!.id, sha1(BUNDLE)))?.complete, true, 'what was removed comes back');
  });

  it('of a time has what was uploaded, used, announced or deployed since then', async () => {
    const since = async (name: string, at: number) => {
      const dir = join(folder, name);
      await from.done('export', '--to', dir, '--since', new Date(at).toISOString());
      const { counts } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
      return [counts.builds, counts.uploads, readdirSync(join(dir, 'uploads')).length];
    };
    assert.deepEqual(await since('deployed', AT + 7000), [1, 1, 1], 'uses are recorded once an hour');
    assert.deepEqual(await since('later', AT + 2 * DAY_MS), [0, 0, 0]);
  });

  /** Runs an import of the export with other lines of uploads. */
  async function importOther(change: (lines: string) => string) {
    const dir = join(folder, 'all');
    const [lines, manifest] = ['uploads.ndjson', 'manifest.json'].map((name) => join(dir, name)) as [string, string];
    const [before, listed] = [lines, manifest].map((path) => readFileSync(path, 'utf8')) as [string, string];
    const sum = (text: string) => createHash('sha256').update(text).digest('hex');
    writeFileSync(lines, change(before));
    const unlisted = await to.run('import', '--from-export', dir);
    writeFileSync(manifest, listed.replace(sum(before), sum(change(before))));
    const run = await to.run('import', '--from-export', dir);
    writeFileSync(lines, before);
    writeFileSync(manifest, listed);
    return { unlisted, run };
  }

  it('is refused where a file was changed, and listed where the content of an upload is not there', async () => {
    const store = await to.open();
    const [project] = await store.listProjects();
    await store.removeBundle(project!.id, sha1(BUNDLE));
    const { unlisted, run } = await importOther((lines) =>
      lines
        .split('\n')
        .map((line) => (line.includes(sha1(BUNDLE)) ? line.replace(/uploads\/\w+/, `uploads/${'0'.repeat(64)}`) : line))
        .join('\n'),
    );
    assert.equal(unlisted.code, 1);
    assert.match(unlisted.stderr, /uploads\.ndjson was changed or damaged after the export/);
    assert.match(run.stderr, new RegExp(`upload ${sha1(BUNDLE)}: the export does not have its content`));
    assert.equal(run.code, 0, 'nothing can be done about it');
  });

  it('is tried again where an upload could not be opened', async () => {
    const store = await to.open();
    const [project] = await store.listProjects();
    const [native] = UPLOADS[3]!;
    await store.removeBundle(project!.id, sha1(native));
    const { run } = await importOther((lines) => lines.replace('"kind":"debug"', '"kind":"proguard"'));
    assert.equal(run.code, 1);
    assert.match(run.stderr, new RegExp(`upload ${sha1(native)}: The mapping cannot be used`));
    await to.done('import', '--from-export', join(folder, 'all'));
    assert.equal((await store.bundle(project!.id, sha1(native)))?.kind, 'debug');
  });
});
