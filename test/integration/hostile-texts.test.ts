import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeJournalFiles } from '../../src/integrated/intake/journal/node-files.ts';
import { quarantineName, writeQuarantine } from '../../src/integrated/quarantine/quarantine-file.ts';
import { HOSTILE_TEXTS, hostileEvent, sendEvent } from '../support/browser-seed.ts';
import { callErrgate } from '../support/cli-call.ts';
import { buildOnce } from '../support/cli-process.ts';
import { rawHttp } from '../support/raw-http.ts';
import { startServiceHere } from '../support/service-here.ts';
import { eventually, type StartedService, startServiceProcess } from '../support/service-process.ts';

/** What a terminal obeys, or what turns the order of what it shows, beside line feeds and tabs. */
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

async function answerOf(service: StartedService, path: string): Promise<{ headers: Headers; text: string }> {
  const answer = await fetch(service.url + path, { headers: { 'PRIVATE-TOKEN': service.first.token } });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text.slice(0, 200)}`);
  return { headers: answer.headers, text };
}

/** As JSON it is data: no browser may guess something else, and no control character stands in it. */
function assertInertJson(path: string, { headers, text }: { headers: Headers; text: string }): unknown {
  assert.match(headers.get('content-type') ?? '', /^application\/json/, path);
  assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
  assert.doesNotMatch(text, /[\u0000-\u001f]/, path);
  return JSON.parse(text);
}

describe('hostile text', function () {
  this.timeout(120_000);
  let dataDir: string;
  before(async () => {
    await buildOnce();
  });
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-hostile-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('is plain data in REST and web JSON, and no part of the metrics', async () => {
    const service = await startServiceHere(dataDir, { ERRGATE_MIN_FREE_DISK: '1' });
    try {
      const { dsn, project_id, project_path } = service.first;
      const sentAt = new Map<string, string>();
      for (const text of HOSTILE_TEXTS)
        sentAt.set(await sendEvent({ url: service.url, dsn }, hostileEvent(Date.now() / 1000, text)), text);
      const base = `/api/v4/projects/${project_id}/error_tracking/errors`;
      const errors = (await eventually(
        () => service.get(`${base}?status=all&per_page=100`),
        (rows) => (rows as unknown[]).length >= HOSTILE_TEXTS.length,
      )) as { id: string }[];
      assertInertJson(base, await answerOf(service, `${base}?status=all`));
      const web = `/${project_path}/-/error_tracking`;
      assertInertJson(web, await answerOf(service, `${web}.json?status=all`));
      let whole = 0;
      for (const { id } of errors) {
        for (const path of [
          `${base}/${id}`,
          `${base}/${id}/stack_trace`,
          `${web}/${id}/details.json`,
          `${web}/${id}/stack_trace.json`,
        ])
          assertInertJson(path, await answerOf(service, path));
        const latest = `${base}/${id}/events/latest`;
        const event = assertInertJson(latest, await answerOf(service, latest)) as {
          event_id: string;
          exceptions: { value: string }[];
        };
        const sent = sentAt.get(event.event_id);
        assert.ok(sent !== undefined);
        if (event.exceptions[0]?.value === sent) whole += 1;
      }
      assert.ok(
        whole >= HOSTILE_TEXTS.length - 1,
        `only ${whole} came back as they were sent: they are shown, not changed`,
      );

      const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
      assert.doesNotMatch(metrics, ACTIVE);
      assert.doesNotMatch(metrics, /owned|forged|evil/);
      for (const line of metrics.split('\n'))
        assert.match(line, /^(?:#.*|[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{[^\n]*\})? [-+0-9.eNaInf]+|)$/, line);
    } finally {
      await service.end('SIGTERM');
    }
  });

  for (const format of ['json', 'pretty'] as const) {
    it(`forges no line of a ${format} log, and passes no escape sequence`, async () => {
      const service = await startServiceProcess(dataDir, {
        ERRGATE_LOG_LEVEL: 'debug',
        ERRGATE_LOG_FORMAT: format,
        ERRGATE_MIN_FREE_DISK: '1',
      });
      try {
        const { dsn, project_id, token } = service.first;
        for (const text of HOSTILE_TEXTS.slice(0, -1)) {
          const quoted = encodeURIComponent(text);
          const bytes = Buffer.from(text.replaceAll(/[\r\n\0]/g, ' ')).toString('latin1');
          const headers = [
            `Host: ${bytes.replaceAll(/[^\x20-\x7e]/g, '')}`,
            `User-Agent: ${bytes}`,
            `X-Request-Id: ${bytes}`,
            `X-Forwarded-For: ${bytes}`,
            `Referer: ${bytes}`,
            `PRIVATE-TOKEN: ${token}`,
            'Connection: close',
          ].join('\r\n');
          for (const path of [
            `/api/v4/projects/${quoted}/error_tracking/errors`,
            `/api/v4/projects/${project_id}/error_tracking/errors?search=${quoted}&sort=${quoted}&environment=${quoted}`,
            `/${quoted}/-/error_tracking.json`,
            `/api/${project_id}/store/?sentry_key=${quoted}&sentry_client=${quoted}&sentry_data=${quoted}`,
          ])
            await rawHttp(service.url, Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`, 'latin1'));
          await sendEvent({ url: service.url, dsn }, hostileEvent(Date.now() / 1000, text));
        }
        assert.equal(await service.end('SIGTERM'), 0);
      } finally {
        await service.end('SIGKILL');
      }
      const log = service.log();
      assert.doesNotMatch(log, ACTIVE);
      const lines = log.split('\n').filter((line) => line.startsWith('{') || line.startsWith('['));
      for (const line of lines) assert.doesNotMatch(line, /^\{"level":50|^\[[^\]]*\] ERROR/, line);
      if (format === 'json') for (const line of lines) JSON.parse(line);
    });
  }

  it('is shown escaped in the lists of a terminal', async () => {
    const env = { ERRGATE_DATA_DIR: dataDir };
    assert.equal((await callErrgate(['project', 'create', 'acme/shop'], env)).code, 0);
    for (const [index, text] of HOSTILE_TEXTS.slice(0, -1).entries()) {
      const header = {
        reason: 'digest_failed' as const,
        error: text,
        quarantinedAt: Date.now(),
        projectId: 1,
        eventId: null,
        receivedAt: Date.now(),
      };
      const name = quarantineName('ab'.repeat(16), index);
      await writeQuarantine(nodeJournalFiles, join(dataDir, 'quarantine'), name, header, Buffer.from('x'));
    }
    const shown = await callErrgate(['quarantine', 'list'], env);
    assert.equal(shown.code, 0, shown.stderr);
    assert.doesNotMatch(shown.stdout, ACTIVE);
    assert.equal(shown.stdout.trimEnd().split('\n').length, HOSTILE_TEXTS.length, 'a heading and one line each');
    const json = await callErrgate(['quarantine', 'list', '--json'], env);
    assert.doesNotMatch(json.stdout, ACTIVE);
    const errors = (JSON.parse(json.stdout) as { error: string }[]).map(({ error }) => error);
    assert.deepEqual(errors.toSorted(), HOSTILE_TEXTS.slice(0, -1).toSorted(), 'machines get it whole');
    const refused = await callErrgate(['settings', 'show', 'acme/\u001b[2J\u202e\u009b31m'], env);
    assert.notEqual(refused.code, 0);
    assert.doesNotMatch(refused.stderr, ACTIVE);
  });
});
