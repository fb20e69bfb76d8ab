import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createBuildToken } from '../../src/auth/build-token.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { Answer, RunningApp } from './app.ts';
import { givenMember } from './factories.ts';
import { makeZip, type ZipEntry } from './zip.ts';

const FIXTURES = new URL('../fixtures/build-tools/', import.meta.url);

/** Request of a build tool, as it was recorded. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly part?: { readonly name: string; readonly filename: string; readonly content: string };
  readonly answer: { readonly status: number };
}

/** Recordings by tool and version. */
export function recordings(): ReadonlyMap<string, readonly RecordedRequest[]> {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.json'));
  return new Map(
    names.map((name) => [
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8')) as RecordedRequest[],
    ]),
  );
}

export interface Part {
  readonly name: string;
  readonly filename: string;
  readonly content: Uint8Array;
}

/** Body of a form with files, as tools send chunks. */
export function formOf(parts: readonly Part[]): { readonly body: Buffer; readonly contentType: string } {
  const boundary = '------------------------build-tool';
  const chunks = parts.flatMap(({ name, filename, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    content,
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

export const sha1 = (content: Uint8Array): string => createHash('sha1').update(content).digest('hex');

/** File of a bundle, with the members of its manifest. */
export interface BundleFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly type: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** False: it is stored as it is. Default true. */
  readonly deflate?: boolean;
}

/** Makes a bundle of source files. */
export function makeBundle(
  files: readonly BundleFile[],
  manifest: Readonly<Record<string, unknown>> = {},
  more: readonly ZipEntry[] = [],
): Buffer {
  const listed = Object.fromEntries(files.map(({ path, content: _, deflate: __, ...file }) => [path, file]));
  const entries = files.map(({ path, content, deflate = true }) => ({
    ...{ name: path, content: Buffer.from(content), deflate },
  }));
  const text = JSON.stringify({ files: listed, ...manifest });
  const prefix = Buffer.concat([Buffer.from('SYSB'), Buffer.from([2, 0, 0, 0])]);
  return makeZip([...entries, { name: 'manifest.json', content: Buffer.from(text) }, ...more], prefix);
}

/** Minified file and its map: `a` in the first line is `price` of the source, and throws at column 14. */
export function minifiedPair(debugId: string | null, name = 'app'): BundleFile[] {
  const map = {
    version: 3,
    file: `${name}.js`,
    sources: [`../src/${name}.js`],
    sourcesContent: ['export function price() {\n  throw new Error("no price");\n}\n'],
    names: ['price'],
    mappings: 'AAAO,SAASA,IACd',
  };
  const headers = debugId === null ? {} : { 'debug-id': debugId };
  return [
    {
      path: `files/_/_/${name}.js`,
      type: 'minified_source',
      url: `~/${name}.js`,
      content: `function a(){throw new Error("no price")}\n//# sourceMappingURL=${name}.js.map\n`,
      headers: { ...headers, sourcemap: `${name}.js.map` },
    },
    {
      path: `files/_/_/${name}.js.map`,
      type: 'source_map',
      url: `~/${name}.js.map`,
      content: JSON.stringify(map),
      headers,
    },
  ];
}

/** Event of an error in `a` of `minifiedPair`; `debugId` null: its map is found by the address. */
export const thrownIn = (name: string, debugId: string | null) => ({
  platform: 'javascript',
  ...(debugId !== null && {
    debug_meta: { images: [{ type: 'sourcemap', code_file: `https://shop.example/${name}.js`, debug_id: debugId }] },
  }),
  exception: {
    values: [
      {
        type: 'Error',
        value: 'no price',
        stacktrace: {
          frames: [{ filename: `https://shop.example/${name}.js`, function: 'a', lineno: 1, colno: 14, in_app: true }],
        },
      },
    ],
  },
});

/** Build tool with a token, against a running application. */
export interface BuildTool {
  readonly token: string;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends chunks; `gzip` as the parts of newer tools. */
  send(organization: string, chunks: readonly Uint8Array[], gzip?: boolean): Promise<Answer>;
  /** Uploads a file as tools do: asks, sends what is missing, asks again. Returns the last answer. */
  upload(organization: string, content: Uint8Array, members: object): Promise<Answer>;
}

/** Returns a tool with a new token for projects; its owner may upload to them. */
export async function givenBuildTool(app: RunningApp, projects: readonly Project[]): Promise<BuildTool> {
  const [first] = projects;
  const { user } = await givenMember(app.store, first!, 'developer');
  for (const { id } of projects) await app.store.setMember(id, user.id, 30);
  const given = { userId: user.id, name: 'build', expiresAt: null, projects, url: app.url };
  const { text } = await createBuildToken(app.store, given, app.clock.now());
  return toolWith(app, text);
}

export function toolWith(app: RunningApp, token: string): BuildTool {
  const ask = (method: string, path: string, body?: unknown) =>
    app.ask(method, `/api/0/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    });
  const send = (organization: string, chunks: readonly Uint8Array[], gzip = true) => {
    const { body, contentType } = formOf(
      chunks.map((chunk) => ({
        name: gzip ? 'file_gzip' : 'file',
        filename: sha1(chunk),
        content: gzip ? gzipSync(chunk) : chunk,
      })),
    );
    const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
    return app.ask('POST', `/api/0/organizations/${organization}/chunk-upload/`, { headers, body });
  };
  return {
    token,
    ask,
    send,
    async upload(organization, content, members) {
      const path = `organizations/${organization}/artifactbundle/assemble/`;
      const body = { checksum: sha1(content), chunks: [sha1(content)], ...members };
      const first = await ask('POST', path, body);
      if (first.status !== 200 || first.json().missingChunks.length === 0) return first;
      const sent = await send(organization, [content]);
      return sent.status === 200 ? ask('POST', path, body) : sent;
    },
  };
}
