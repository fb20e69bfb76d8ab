import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { makeArtifact } from '../../support/artifact-data.ts';
import { formOf, givenBuildTool, makeBundle, minifiedPair, sha1, type BuildTool } from '../../support/build-tools.ts';
import { givenMember } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { makeZip } from '../../support/zip.ts';

const ASSEMBLE = 'organizations/demo/artifactbundle/assemble/';
const MIB = 1024 * 1024;
const debugId = (last: string) => `85350b67-0000-4000-8000-${last.padStart(12, '0')}`;

describeOnStores('uploads of build tools', (kind) => {
  let app: RunningApp;
  let shop: Project;
  let web: Project;
  let tool: BuildTool;

  before(async () => {
    app = await startApp(kind);
    const create = (path: string) => app.store.createProject({ path, name: path, visibility: 'private' });
    [shop, web] = [await create('demo/shop'), await create('demo/web')];
    tool = await givenBuildTool(app, [shop, web]);
  });
  after(() => app.close());

  const upload = (content: Uint8Array, members: object = {}) =>
    tool.upload('demo', content, { projects: ['shop'], ...members });
  const chunks = (form: { body: Buffer; contentType: string }) =>
    app.ask('POST', '/api/0/organizations/demo/chunk-upload/', {
      headers: { authorization: `Bearer ${tool.token}`, 'content-type': form.contentType },
      body: form.body,
    });
  const refusal = (answer: Answer): string => {
    assert.equal(answer.status, 200, answer.text);
    const { state, detail, missingChunks } = answer.json();
    assert.deepEqual([state, missingChunks], ['error', []]);
    return detail as string;
  };

  it('are stored for each project, by debug id and by address', async () => {
    const bundle = makeBundle(minifiedPair(debugId('1')), { release: 'shop@2', dist: 'a' });
    const answer = await upload(bundle, { projects: ['shop', String(web.id)], version: 'shop@2', dist: 'a' });
    assert.deepEqual(answer.json(), { state: 'ok', missingChunks: [], detail: null });
    for (const { id } of [shop, web]) {
      const [byId] = await app.store.mapsByDebugId(id, debugId('1'));
      const [byUrl] = await app.store.mapsByUrl(id, 'shop@2', 'a', '~/app.js');
      assert.deepEqual(byId, byUrl);
      assert.equal(byId?.problem, null);
    }
  });

  it('twice are one, without a chunk in between', async () => {
    const bundle = makeBundle(minifiedPair(debugId('2')));
    await upload(bundle);
    const again = await tool.ask('POST', ASSEMBLE, {
      checksum: sha1(bundle),
      chunks: [sha1(bundle)],
      projects: ['shop'],
    });
    assert.deepEqual(again.json(), { state: 'ok', missingChunks: [], detail: null });
    assert.equal((await app.store.listBundles(shop.id)).filter(({ id }) => id === sha1(bundle)).length, 1);
  });

  it('of two builds at once end both, also of the same bundle', async () => {
    const bundles = ['3', '4'].map((last) => makeBundle(minifiedPair(debugId(last))));
    const answers = await Promise.all([...bundles, bundles[0]!].map((bundle) => upload(bundle)));
    assert.deepEqual(
      answers.map((answer) => answer.json().state),
      ['ok', 'ok', 'ok'],
    );
  });

  it('are put together from several chunks, of which the missing ones are named', async () => {
    const bundle = makeBundle(minifiedPair(debugId('5')), { note: 'x'.repeat(3000) });
    const parts = [bundle.subarray(0, 1000), bundle.subarray(1000, 2000), bundle.subarray(2000)];
    const body = { checksum: sha1(bundle), chunks: parts.map(sha1), projects: ['shop'] };
    await tool.send('demo', [parts[1]!]);
    const first = (await tool.ask('POST', ASSEMBLE, body)).json();
    assert.deepEqual(first, { state: 'not_found', missingChunks: [sha1(parts[0]!), sha1(parts[2]!)], detail: null });
    assert.equal((await tool.send('demo', [parts[0]!, parts[2]!], false)).status, 200);
    assert.equal((await tool.ask('POST', ASSEMBLE, body)).json().state, 'ok');
  });

  it('without a release are found by debug id; the text `undefined` is no release', async () => {
    await upload(makeBundle(minifiedPair(debugId('6')), { release: 'undefined' }), { version: 'undefined' });
    assert.equal((await app.store.mapsByDebugId(shop.id, debugId('6')))[0]?.release, null);
  });

  it('keep minified files whose map is missing, with the reason', async () => {
    const [minified] = minifiedPair(debugId('7'));
    await upload(makeBundle([minified!]));
    const [map] = await app.store.mapsByDebugId(shop.id, debugId('7'));
    assert.deepEqual([map?.file, map?.problem], [null, 'its source map is not in the upload']);
  });

  it('keep what is usable beside a map that is not', async () => {
    const [minified, map] = minifiedPair(debugId('8'));
    const bundle = makeBundle([
      minified!,
      { ...map!, content: '{"version":3,"mappings":17}' },
      ...minifiedPair(debugId('9'), 'good'),
    ]);
    assert.equal((await upload(bundle)).json().state, 'ok');
    assert.notEqual((await app.store.mapsByDebugId(shop.id, debugId('8')))[0]?.problem, null);
    assert.equal((await app.store.mapsByDebugId(shop.id, debugId('9')))[0]?.problem, null);
  });

  it('pair files by reference where there is no debug id, and read a map from a data: address', async () => {
    const inline = minifiedPair(null, 'inline');
    const reference = `data:application/json;base64,${Buffer.from(inline[1]!.content).toString('base64')}`;
    const files = [
      ...minifiedPair(null, 'plain'),
      { ...inline[0]!, headers: {}, content: `function a(){}\n//# sourceMappingURL=${reference}\n` },
    ];
    assert.equal((await upload(makeBundle(files), { version: 'shop@3' })).json().state, 'ok');
    for (const url of ['~/plain.js', '~/inline.js']) {
      assert.equal((await app.store.mapsByUrl(shop.id, 'shop@3', null, url))[0]?.problem, null, url);
    }
  });

  it('accept empty minified files of Hermes', async () => {
    const [minified, map] = minifiedPair(debugId('10'), 'hermes');
    assert.equal((await upload(makeBundle([{ ...minified!, content: '' }, map!]))).json().state, 'ok');
    assert.equal((await app.store.mapsByDebugId(shop.id, debugId('10')))[0]?.problem, null);
  });

  it('that cannot be used are refused with the reason, and may be tried again', async () => {
    const bundle = makeBundle(minifiedPair(debugId('11')));
    const cut = bundle.subarray(0, bundle.length - 40);
    assert.match(refusal(await upload(cut)), /cannot be read as a zip file/);
    assert.match(refusal(await upload(cut)), /cannot be read as a zip file/);
    assert.match(refusal(await upload(Buffer.from('hello'))), /cannot be read as a zip file/);
    const zip = (name: string, content: string) => makeZip([{ name, content: Buffer.from(content) }]);
    assert.match(refusal(await upload(zip('other.json', '{}'))), /no manifest\.json/);
    assert.match(refusal(await upload(zip('manifest.json', '{'))), /not valid JSON/);
    assert.match(refusal(await upload(zip('manifest.json', '{"files":[]}'))), /no list of files/);
    const missing = '{"files":{"files/_/_/gone.js":{"type":"minified_source"}}}';
    assert.match(
      refusal(await upload(zip('manifest.json', missing))),
      /"files\/_\/_\/gone\.js", which is not in the bundle/,
    );
  });

  it('with unsafe names or as bombs are refused', async () => {
    const evil = (name: string) => makeBundle([], {}, [{ name, content: Buffer.from('x') }]);
    for (const name of ['../../etc/passwd', '/etc/passwd', 'a\\..\\b', 'C:/windows']) {
      assert.match(refusal(await upload(evil(name))), /cannot be read as a zip file/, name);
    }
    const bomb = makeBundle([], {}, [{ name: 'big', content: Buffer.alloc(20 * MIB), deflate: true }]);
    assert.match(refusal(await upload(bomb)), /would unpack to more than/);
    const [minified, map] = minifiedPair(debugId('12'));
    const lie = makeZip([
      {
        name: 'manifest.json',
        content: Buffer.from(JSON.stringify({ files: { a: { type: minified!.type, headers: {} } } })),
      },
      { name: 'a', content: Buffer.alloc(100_000, String(map!.content)), deflate: true, statedSize: 10 },
    ]);
    assert.match(refusal(await upload(lie)), /cannot be read as a zip file/);
  });

  it('whose chunks make up another file are refused', async () => {
    const bundle = makeBundle(minifiedPair(debugId('13')));
    await tool.send('demo', [bundle]);
    const answer = await tool.ask('POST', ASSEMBLE, {
      checksum: 'a'.repeat(40),
      chunks: [sha1(bundle)],
      projects: ['shop'],
    });
    assert.match(refusal(answer), /another checksum/);
  });

  it('refuse chunks with another checksum, above the bound, and in another form', async () => {
    const part = (content: Uint8Array, name = 'file', filename = sha1(content)) =>
      formOf([{ name, filename, content }]);
    const cases: [ReturnType<typeof part>, number, RegExp][] = [
      [part(Buffer.from('x'), 'file', 'b'.repeat(40)), 400, /another checksum/],
      [part(Buffer.from('not gzip'), 'file_gzip'), 400, /no valid gzip/],
      [part(Buffer.alloc(8 * MIB + 1)), 400, /Chunk size too large/],
      [part(gzipSync(Buffer.alloc(64 * MIB)), 'file_gzip'), 400, /Chunk size too large/],
      [part(Buffer.from('x'), 'other'), 400, /Each part must be/],
      [part(Buffer.from('x'), 'file', '../../x'), 400, /Each part must be/],
      [
        formOf(
          Array.from({ length: 17 }, (_, at) => ({
            name: 'file',
            filename: sha1(Buffer.of(at)),
            content: Buffer.of(at),
          })),
        ),
        413,
        /16 chunks/,
      ],
    ];
    for (const [form, status, detail] of cases) {
      const answer = await chunks(form);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.json().detail, detail);
    }
    const body = { checksum: 'c'.repeat(40), chunks: [sha1(Buffer.from('x')), 'b'.repeat(40)], projects: ['shop'] };
    assert.deepEqual((await tool.ask('POST', ASSEMBLE, body)).json().missingChunks, body.chunks, 'nothing was stored');
  });

  it('accept an empty request for chunks, and a chunk that is known', async () => {
    const empty = await app.ask('POST', '/api/0/organizations/demo/chunk-upload/', {
      headers: { authorization: `Bearer ${tool.token}` },
    });
    assert.equal(empty.status, 200);
    const chunk = Buffer.alloc(MIB, 'known');
    for (let time = 0; time < 2; time += 1) assert.equal((await tool.send('demo', [chunk])).status, 200);
  });

  it('say what is wrong with a request', async () => {
    const body = { checksum: 'd'.repeat(40), chunks: ['d'.repeat(40)] };
    const details = async (given: object) => {
      const answer = await tool.ask('POST', ASSEMBLE, given);
      assert.equal(answer.status, 400, answer.text);
      return answer.json().detail;
    };
    assert.match(await details(body), /names no project/);
    assert.match(
      await details({ ...body, projects: ['shop'], checksum: 'x' }),
      /checksum must be 40 hexadecimal digits/,
    );
    assert.match(await details({ ...body, projects: ['shop'], dist: 'a' }), /dist needs a release/);
    assert.match(await details({ projects: ['shop'] }), /checksum is missing, chunks is missing/);
  });

  it('tell tools how to send chunks: an absolute address, and the members that old and new ones need', async () => {
    const answer = (await tool.ask('GET', 'organizations/demo/chunk-upload/')).json();
    assert.equal(answer.url, 'https://errors.example.test/api/0/organizations/demo/chunk-upload/');
    assert.deepEqual([answer.hashAlgorithm, answer.compression], ['sha1', ['gzip']]);
    assert.equal(Math.log2(answer.chunkSize) % 1, 0);
    assert.ok(answer.accept.includes('artifact_bundles_v2'));
  });

  it('are listed and removed over REST', async () => {
    const { token } = await givenMember(app.store, web, 'maintainer');
    const path = `/api/v4/projects/${web.id}/error_tracking/artifacts`;
    const bundle = makeBundle(minifiedPair(debugId('14')));
    app.clock.at += 1000;
    await tool.upload('demo', bundle, { projects: ['web'], version: 'web@1' });
    const [first] = (await app.get(path, token)).json();
    assert.deepEqual(
      [first.id, first.release, first.debug_ids, first.last_used_at],
      [sha1(bundle), 'web@1', [debugId('14')], null],
    );
    assert.equal(first.size, bundle.length);
    assert.equal((await app.ask('DELETE', `${path}/${first.id}`, { token })).status, 204);
    assert.equal((await app.ask('DELETE', `${path}/${first.id}`, { token })).status, 404);
    assert.equal((await app.store.mapsByDebugId(web.id, debugId('14'))).length, 0);
  });

  it('are found by release, dist, and the beginning of an id', async () => {
    const project = await app.store.createProject({ path: 'demo/found', name: 'found', visibility: 'private' });
    const { token } = await givenMember(app.store, project, 'reporter');
    const tracking = `/api/v4/projects/${project.id}/error_tracking`;
    const save = (id: string, members: Parameters<typeof makeArtifact>[1]) =>
      app.store.putBundle(makeArtifact(project, { id: id.repeat(20), ...members }), []);
    await save('1a', { release: 'web@1.4.2', dist: 'eu', debugIds: [debugId('21')] });
    await save('2b', { release: 'web@1.4.20', debugIds: [debugId('22')], uploadedAt: 1 });
    await save('3c', { release: null, debugIds: ['aaaabbbb-0000-4000-8000-000000000001'], uploadedAt: 0 });
    const idsOf = async (query: string) => {
      const answer = await app.get(`${tracking}/artifacts?${query}`, token);
      assert.equal(answer.status, 200, answer.text);
      return (answer.json() as { id: string }[]).map(({ id }) => id.slice(0, 2));
    };
    for (const [query, found] of [
      ['release=web@1.4.2', ['1a']],
      ['search=WEB', ['1a', '2b']],
      ['search=EU', ['1a']],
      ['search=2b2b', ['2b']],
      ['search=2b', []],
      [`search=${debugId('22').toUpperCase()}`, ['2b']],
      ['search=aaaabbbb00', ['3c']],
      [`release=web@1.4.2&search=${debugId('22')}`, []],
      ['search=', ['1a', '2b', '3c']],
      ['search=nothing&per_page=1', []],
      ['per_page=1&page=2', ['2b']],
    ] as const) {
      assert.deepEqual(await idsOf(query), found, query);
    }
    const tools = (await app.get(`${tracking}/build_tools`, token)).json();
    assert.deepEqual(tools, {
      ...{ url: 'https://errors.example.test', organization: 'demo', project: 'found' },
      ...{ uploads: 3, stored_bytes: 4500, max_bytes: 1e9, unused_days: 90 },
    });
    assert.equal((await app.get(`${tracking}/artifacts?search=${'x'.repeat(201)}`, token)).status, 400);
  });

  it('are answered 404 with a detail where there is no route', async () => {
    for (const [method, path] of [
      ['GET', 'organizations/demo/monitors/'],
      ['PATCH', 'organizations/demo/'],
      ['GET', 'x'],
    ] as const) {
      const answer = await tool.ask(method, path);
      assert.equal(answer.status, 404);
      assert.match(answer.json().detail, /does not have this route/);
    }
  });
});
