import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { callErrgate } from '../../support/cli-call.ts';
import { startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SdkBody } from '../../support/fake-source/source-records.ts';
import { exceptionsIn, IMPORTED_TRACKERS, type SourceTracker } from '../../support/fake-source/source-world.ts';
import { IMPORT_TOKEN } from '../../support/import-world.ts';
import { type Capture, captures } from '../../support/ingest-captures.ts';
import { readPages } from '../../support/read-pages.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { captureRecord } from '../../unit/integrated/digest/digest-support.ts';

interface ErrorBody {
  readonly id: string;
  readonly count: number;
}

interface Sent {
  readonly capture: Capture;
  readonly sdk: string;
  readonly body: SdkBody;
  /** Id of the event that the tracker has. */
  readonly oldId: string;
  readonly hasStack: boolean;
}

/** Event of a browser, whose captures are messages without an id of their own. */
function browserEvent(): Sent {
  const at = (name: string, inApp: boolean) => ({
    filename: `https://shop.example.com/static/${name}.js`,
    function: name,
    lineno: 12,
    colno: 34,
    in_app: inApp,
  });
  const oldId = 'b0'.repeat(8) + '17'.repeat(8);
  const body = {
    event_id: oldId,
    platform: 'javascript',
    sdk: { name: 'sentry.javascript.browser', version: '11.0.0' },
    request: { url: 'https://shop.example.com/basket' },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'price')",
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames: [at('render', true), at('total', true)] },
        },
      ],
    },
  };
  const text = JSON.stringify(body);
  const envelope = Buffer.from(`${JSON.stringify({ event_id: oldId })}\n{"type":"event"}\n${text}`);
  const capture: Capture = {
    name: 'browser/exception',
    path: '/api/42/envelope/?sentry_key=k&sentry_version=7',
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: envelope,
    wire: envelope,
    chunked: false,
  };
  return { capture, sdk: 'browser', body, oldId, hasStack: true };
}

/** The events of the captures, one per id. */
function eventsOfSdks(): Sent[] {
  const seen = new Set<string>();
  return captures().flatMap((capture): Sent[] => {
    const found = captureRecord(capture.name);
    if (found === null) return [];
    const body = JSON.parse(Buffer.from(found.body).toString()) as SdkBody;
    const oldId = typeof body.event_id === 'string' ? body.event_id : '';
    if (!/^[0-9a-f]{32}$/.test(oldId) || seen.has(oldId)) return [];
    seen.add(oldId);
    const hasStack = exceptionsIn(body).some(({ stacktrace }) => stacktrace !== undefined && stacktrace !== null);
    return [{ capture, sdk: capture.name.replace(/-.*/, ''), body, oldId, hasStack }];
  });
}

/** Another id of equal length, so that lengths in the envelope stay right. */
const newIdOf = (oldId: string): string => oldId.split('').reverse().join('');

/** Sends the request again as the SDK would, with another event id, to the old path of the project. */
async function sendAgain(url: string, { capture, oldId }: Sent): Promise<void> {
  const text = capture.body.toString('latin1').replaceAll(oldId, newIdOf(oldId));
  const body = Buffer.from(text, 'latin1');
  const path = capture.path.replace('/errortracking/api/v1/projects/api/', '/api/');
  const isGzip = Object.entries(capture.headers).some(
    ([name, value]) => name.toLowerCase() === 'content-encoding' && value === 'gzip',
  );
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: capture.headers,
    body: new Uint8Array(isGzip ? gzipSync(body) : body),
  });
  assert.equal(answer.status, 200, `${capture.name}: ${await answer.text()}`);
}

for (const tracker of IMPORTED_TRACKERS) {
  describeOnStores(`next live events of errors imported from ${tracker}`, (kind, suite) => {
    suite.timeout(120_000);
    const sent = [...eventsOfSdks(), browserEvent()];

    it('join the imported errors, through the old DSN', async () => {
      const source = await startFakeSource(tracker);
      const dataDir = mkdtempSync(join(tmpdir(), 'errgate-joins-'));
      const store = kind.forProcesses();
      let service: ServiceProcess | null = null;
      try {
        source.world.addToken(IMPORT_TOKEN);
        const shop = source.world.addProject('shop', { id: '42', keys: 0 });
        for (const publicKey of tracker === 'bugsink' ? ['glet_abc123'] : ['glet_abc123', 'k']) {
          source.world.addKey(shop, { publicKey });
        }
        for (const { body } of sent) source.world.receive(shop, body);
        service = await startServiceProcess(dataDir, store.env);
        const env = {
          ERRGATE_DATA_DIR: dataDir,
          ERRGATE_OUTBOUND_ALLOW: '127.0.0.1',
          ERRGATE_IMPORT_TOKEN: IMPORT_TOKEN,
          ...store.env,
        };
        // Beside the running service.
        const run = await callErrgate(['import', '--url', source.origin, '--org', 'acme', '--kind', tracker], env);
        assert.equal(run.code, 0, run.stdout + run.stderr);
        const projects = (await service.get('/api/v4/projects')) as { id: number; path_with_namespace: string }[];
        const project = projects.find((one) => one.path_with_namespace === 'acme/shop');
        assert.ok(project);
        if (tracker === 'bugsink') {
          // It has one key per project; the other SDK of the captures has another.
          assert.equal((await callErrgate(['key', 'create', 'acme/shop', '--public-key', 'k'], env)).code, 0);
        }
        const base = `/api/v4/projects/${project.id}/error_tracking/errors`;
        const running = service;
        const list = (): Promise<ErrorBody[]> => readPages<ErrorBody>(running, `${base}?status=all&per_page=100`);
        const sum = (rows: readonly ErrorBody[]): number => rows.reduce((total, { count }) => total + count, 0);
        const before = await list();
        assert.equal(before.length, shop.issues.size);
        assert.equal(
          sum(before),
          [...shop.issues.values()].reduce((total, { count }) => total + count, 0),
        );
        for (const one of sent) await sendAgain(service.url, one);
        const after = await eventually(list, (rows) => sum(rows) === sum(before) + sent.length);
        const imported = new Set(before.map(({ id }) => id));
        const errorOf = new Map<string, string>();
        for (const { id } of after) {
          for (const { event_id } of await readPages<{ event_id: string }>(service, `${base}/${id}/events`)) {
            errorOf.set(event_id, id);
          }
        }
        report(tracker, sent, (one) => imported.has(errorOf.get(newIdOf(one.oldId)) ?? ''));
      } finally {
        await service?.end('SIGTERM');
        rmSync(dataDir, { recursive: true, force: true });
        await store.remove();
        await source.close();
      }
    });
  });
}

/** Prints the share that joined by SDK, and fails for an exception with a stack that did not. */
function report(tracker: SourceTracker, sent: readonly Sent[], joined: (one: Sent) => boolean): void {
  const apart = sent.filter((one) => !joined(one));
  for (const sdk of new Set(sent.map((one) => one.sdk))) {
    const own = sent.filter((one) => one.sdk === sdk);
    const names = own.filter((one) => apart.includes(one)).map(({ capture }) => capture.name);
    const missing = names.length === 0 ? '' : `; not ${names.join(', ')}`;
    console.log(`      ${tracker}: ${sdk} ${own.length - names.length} of ${own.length} joined${missing}`);
  }
  assert.deepEqual(
    apart.filter(({ hasStack }) => hasStack).map(({ capture }) => capture.name),
    [],
  );
}
