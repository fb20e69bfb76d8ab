import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce } from '../support/cli-process.ts';
import { readPages } from '../support/read-pages.ts';
import { SECURITY_REPORTS } from '../support/security-reports.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { describeOnStores, type ProcessStore } from '../support/test-stores.ts';

interface ErrorRow {
  readonly id: string;
  readonly title: string;
  readonly culprit: string | null;
  readonly count: number;
  readonly user_count: number;
}

describeOnStores('events with secrets, long numbers and security reports', (kind, suite) => {
  suite.timeout(120_000);
  let dataDir: string;
  let store: ProcessStore;
  let service: ServiceProcess;
  let base: string;

  before(async () => {
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-secrets-'));
    store = kind.forProcesses();
    service = await startServiceProcess(dataDir, store.env);
    base = `/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
  });

  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    rmSync(dataDir, { recursive: true, force: true });
    await store.remove();
  });

  const key = (): string => new URL(service.first.dsn).username;

  async function send(route: 'store' | 'envelope', event: string): Promise<void> {
    const address = `${service.url}/api/${service.first.project_id}/${route}/?sentry_key=${key()}`;
    const body = route === 'store' ? event : `{}\n{"type":"event"}\n${event}\n`;
    const answer = await fetch(address, { method: 'POST', body });
    assert.equal(answer.status, 200, await answer.text());
  }

  const rows = async (fits: (row: ErrorRow) => boolean): Promise<ErrorRow[]> =>
    (await readPages<ErrorRow>(service, `${base}?per_page=100&status=all`)).filter(fits);

  it('show nothing hidden in list, details, event, stack trace and search', async () => {
    const value = 'no database postgres://app:s3cr3tpw@db/x, Bearer abcDEF123456.token, 4111 1111 1111 1111';
    const frames = [{ function: 'f', filename: 'a.py', in_app: true, context_line: "password = 's3cr3tpw'" }];
    await send('store', JSON.stringify({ exception: { type: 'OperationalError', value, stacktrace: { frames } } }));
    const [error] = await eventually(
      () => rows(({ title }) => title.startsWith('OperationalError')),
      ({ length }) => length === 1,
    );
    assert.ok(error);
    assert.equal(
      error.title,
      'OperationalError: no database postgres://[Filtered]@db/x, Bearer [Filtered], [Filtered]',
    );
    const web = `/${service.first.project_path}/-/error_tracking`;
    for (const path of [
      `${base}/${error.id}`,
      `${base}/${error.id}/events/latest`,
      `${base}/${error.id}/stack_trace`,
      `${web}.json?status=all`,
      `${web}/${error.id}/details.json`,
      `${web}/${error.id}/stack_trace.json`,
    ]) {
      const text = JSON.stringify(await service.get(path));
      assert.doesNotMatch(text, /s3cr3tpw|abcDEF|4111/, path);
    }
    assert.deepEqual(await service.get(`${base}?status=all&search=s3cr3tpw`), []);
  });

  it('count users as different whose numeric ids differ in the last digits', async () => {
    for (const id of ['1234567890123456789', '1234567890123456790', '12345678901234567890123']) {
      await send('store', `{"message":"by number","user":{"id":${id}}}`);
    }
    const [error] = await eventually(
      () => rows(({ title }) => title === 'by number'),
      ([row]) => row?.count === 3,
    );
    assert.equal(error?.user_count, 3);
  });

  it('group security reports by directive and host, by store and by envelope', async () => {
    const titles = SECURITY_REPORTS.map(({ title }) => title).sort();
    for (const { raw } of SECURITY_REPORTS) {
      await send('store', JSON.stringify(raw));
      await send('envelope', JSON.stringify({ ...raw, type: 'csp', request: { url: 'https://shop.example/other' } }));
    }
    const errors = await eventually(
      () => rows(({ title }) => titles.includes(title)),
      (found) => found.reduce((sum, { count }) => sum + count, 0) === 2 * titles.length,
    );
    assert.deepEqual(errors.map(({ title }) => title).sort(), titles);
    const [report] = errors.filter(({ title }) => title === "Blocked 'default-src' from 'evil.example'");
    assert.equal(report?.culprit, "default-src 'self'");
    const event = (await service.get(`${base}/${report.id}/events/latest`)) as { contexts: Record<string, object> };
    assert.equal((event.contexts.csp as { referrer?: string }).referrer, 'https://search.example/');
  });
});
