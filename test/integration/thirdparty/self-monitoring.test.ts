import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../../src/domain/app-error.ts';
import { SELF_REPORT_HEADER } from '../../../src/gateway/http/middleware/self-report.ts';
import type { Logger } from '../../../src/observability/logger.ts';
import { startSelfMonitoring, type SelfMonitoring } from '../../../src/thirdparty/self-monitoring.ts';
import { startApp } from '../../support/app.ts';
import { fakeLogger } from '../../support/fake-logger.ts';
import { givenMember, givenTrackedProject } from '../../support/factories.ts';
import { eventually } from '../../support/service-process.ts';
import { SQLITE } from '../../support/test-stores.ts';

/** The words of the interface's own page. */
const DEPRECATED =
  /support for self-hosted third-party systems at version 21\.4\.1 and earlier is deprecated and scheduled for removal in product release 17\.0\. Version 21\.5\.0 or later is needed afterwards/;

interface Line {
  readonly level: string;
  readonly message: string;
}

function memoryLogger(lines: Line[]): Logger {
  return fakeLogger((level) => (bindings, message) => {
    lines.push({ level, message: message ?? String(bindings) });
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

describe('self-monitoring', () => {
  let server: Server;
  let origin: string;
  let envelopes: { body: string; mark: string | undefined }[];
  let config: { status: number; body: string };
  let lines: Line[];
  /** Where envelopes go on to, as through a proxy in front of the service. */
  let relayTo: string | null = null;
  let monitoring: SelfMonitoring | undefined;

  before(async () => {
    server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        if (request.url === '/api/client-config/') {
          response.writeHead(config.status, { 'content-type': 'application/json' });
          response.end(config.body);
          return;
        }
        const mark = request.headers[SELF_REPORT_HEADER.toLowerCase()];
        envelopes.push({ body, mark: typeof mark === 'string' ? mark : undefined });
        const relayed =
          relayTo === null
            ? Promise.resolve()
            : fetch(`${relayTo}${request.url ?? ''}`, {
                method: 'POST',
                body,
                headers: { [SELF_REPORT_HEADER]: String(mark) },
              });
        void relayed.finally(() => response.end('{}'));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    [envelopes, lines] = [[], []];
    config = { status: 404, body: '{}' };
  });
  afterEach(() => monitoring?.close());

  async function start(dsn: string | null = origin.replace('//', '//key@') + '/7'): Promise<SelfMonitoring> {
    const options = {
      dsn,
      version: '1.2.3',
      logger: memoryLogger(lines),
      markHeader: SELF_REPORT_HEADER,
      uncaught: false,
    };
    monitoring = startSelfMonitoring(options);
    return monitoring;
  }

  it('does nothing without a DSN', async () => {
    const logger = memoryLogger(lines);
    const off = startSelfMonitoring({ dsn: null, version: '1', logger, markHeader: SELF_REPORT_HEADER });
    assert.equal(off.logger, logger);
    assert.equal(off.mark, null);
    await off.checkVersion();
    assert.deepEqual(lines, []);
  });

  it('reports what is logged as an error, and nothing of the log line but safe facts', async () => {
    const { logger, mark } = await start();
    logger.warn({ err: new Error('heals itself') }, 'a warning');
    logger.error(
      { err: new TypeError('it broke'), path: '/a', request_id: 'r1', token: 'glpat-secret', body: 'private' },
      'request failed',
    );
    logger.child({}).error('plain words');
    await monitoring?.close();
    const all = envelopes.map(({ body }) => body).join('\n');
    assert.equal(envelopes.length, 2);
    assert.match(all, /"type":"TypeError","value":"it broke"/);
    assert.match(all, /"request_id":"r1"/);
    assert.match(all, /errgate@1\.2\.3/);
    assert.match(all, /plain words/);
    assert.doesNotMatch(all, /glpat-secret|private|heals itself/);
    assert.ok(envelopes.every((envelope) => envelope.mark === mark));
    assert.deepEqual(
      lines.map(({ level }) => level),
      ['warn', 'error', 'error'],
    );
  });

  describe('when the tracker is this very service, whose ingestion fails at every request', () => {
    /** One error is logged; how many reports there are in the end. */
    async function reportsAfterOneError(marked: boolean): Promise<number> {
      const { logger, mark } = await start();
      const app = await startApp(SQLITE, {
        logger,
        selfReportMark: marked ? mark : null,
        backendFor: () => {
          throw new TypeError('reading is broken');
        },
        ingest: {
          targetOf: (path) => (path.endsWith('/envelope/') ? { kind: 'envelope', dsnId: '1' } : null),
          answer: () => Promise.reject(new TypeError('ingestion is broken')),
        },
      });
      relayTo = app.url;
      try {
        const project = await givenTrackedProject(app.store);
        const { token } = await givenMember(app.store, project, 'owner');
        const answer = await app.get(`/api/v4/projects/${project.id}/error_tracking/errors`, token);
        assert.equal(answer.status, 500);
        if (!marked)
          await eventually(
            () => Promise.resolve(envelopes.length),
            (count) => count > 1,
            5000,
          );
        await monitoring?.close();
        return envelopes.length;
      } finally {
        relayTo = null;
        await app.close();
      }
    }

    it('reports the error, and never what reporting it causes', async () => {
      assert.equal(await reportsAfterOneError(true), 1);
      assert.equal(lines.filter(({ level }) => level === 'error').length, 2);
    });

    it('would go on for ever without the mark', async () => {
      assert.ok((await reportsAfterOneError(false)) > 1);
    });
  });

  describe('looks at the version', () => {
    const rows: [body: object, level: string | undefined, message: RegExp][] = [
      [{ version: { current: '21.4.1' } }, 'warn', DEPRECATED],
      [{ version: { current: '9.1.2' } }, 'warn', DEPRECATED],
      [{ version: { current: '21.5.0' } }, undefined, /^$/],
      [{ version: { current: '26.8.0.dev0' } }, undefined, /^$/],
      [{ version: null }, 'info', /does not report its version/],
      [{}, 'info', /does not report its version/],
    ];
    for (const [body, level, message] of rows) {
      it(`in ${JSON.stringify(body)}: ${level ?? 'silent'}`, async () => {
        config = { status: 200, body: JSON.stringify(body) };
        await (await start()).checkVersion();
        assert.equal(lines[0]?.level, level);
        assert.match(lines[0]?.message ?? '', message);
      });
    }

    it('and says so when it cannot be read', async () => {
      await (await start()).checkVersion();
      config = { status: 200, body: '<html>' };
      await monitoring?.checkVersion();
      await monitoring?.close();
      await (await start('http://key@127.0.0.1:1/7')).checkVersion();
      assert.deepEqual(
        lines.map(({ level }) => level),
        ['info', 'info', 'info'],
      );
      assert.ok(lines.every(({ message }) => message.includes('does not report its version')));
    });
  });

  it('is not confused by errors of ours', async () => {
    const { logger } = await start();
    logger.error({ err: new AppError('internal', 'ours') }, 'failed');
    await monitoring?.close();
    assert.match(envelopes[0]?.body ?? '', /"value":"ours"/);
  });
});
