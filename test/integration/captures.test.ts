import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callErrgate } from '../support/cli-call.ts';
import { captures } from '../support/ingest-captures.ts';
import { readPages } from '../support/read-pages.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { describeOnStores, type ProcessStore } from '../support/test-stores.ts';
import { captureRecord } from '../unit/integrated/digest/digest-support.ts';
import { BROWSER_CAPTURES } from '../unit/integrated/digest/expected-captures/browser.ts';
import type { Expected, ExpectedCaptures } from '../unit/integrated/digest/expected-captures/expected.ts';
import { GO_CAPTURES } from '../unit/integrated/digest/expected-captures/go.ts';
import { JAVA_CAPTURES } from '../unit/integrated/digest/expected-captures/java.ts';
import { NODE_CAPTURES } from '../unit/integrated/digest/expected-captures/node.ts';
import { PHP_CAPTURES } from '../unit/integrated/digest/expected-captures/php.ts';
import { PYTHON_CAPTURES } from '../unit/integrated/digest/expected-captures/python.ts';
import { RUBY_CAPTURES } from '../unit/integrated/digest/expected-captures/ruby.ts';

const EXPECTED: ExpectedCaptures = {
  ...BROWSER_CAPTURES,
  ...GO_CAPTURES,
  ...JAVA_CAPTURES,
  ...NODE_CAPTURES,
  ...PHP_CAPTURES,
  ...PYTHON_CAPTURES,
  ...RUBY_CAPTURES,
};

interface ErrorBody {
  readonly id: string;
  readonly title: string;
  readonly type: string | null;
  readonly culprit: string | null;
  readonly count: number;
  readonly user_count: number;
}

interface EventBody {
  readonly event_id: string;
  readonly error_id: string;
  readonly level: string;
  readonly platform: string;
  readonly release: string | null;
  readonly exceptions: readonly { readonly type: string; readonly value: string }[];
}

/** The event's id where the SDK gave one. */
function sentId(name: string): string | undefined {
  const body = Buffer.from(captureRecord(name)?.body ?? '{}').toString();
  return (JSON.parse(body) as { event_id?: string }).event_id?.replaceAll('-', '');
}

/** Everything that readers get, without what differs between two services that took the same requests. */
const answers = new Map<string, unknown>();

describeOnStores('captures in, reads out', (kind, suite) => {
  suite.timeout(60_000);
  let dataDir: string;
  let store: ProcessStore;
  let service: ServiceProcess;
  let base: string;
  let errors: ErrorBody[];
  /** Names of captures by the id of their event; the browser's two share one, so the second is a repeat. */
  const names = new Map<string, string>();
  const carrying = Object.entries(EXPECTED).flatMap(([name, expected]): [string, Expected][] =>
    expected ? [[name, expected]] : [],
  );

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-captures-'));
    store = kind.forProcesses();
    service = await startServiceProcess(dataDir, store.env);
    base = `/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
    const env = { ERRGATE_DATA_DIR: dataDir, ...store.env };
    // The captures' own DSN: project 42 and two keys, as they came from another tracker.
    for (const args of [
      ['project', 'set', service.first.project_path, '--alias-id', '42'],
      ['key', 'create', service.first.project_path, '--public-key', 'glet_abc123'],
      ['key', 'create', service.first.project_path, '--public-key', 'k'],
    ]) {
      const { code, stderr } = await callErrgate(args, env);
      assert.equal(code, 0, stderr);
    }
  });

  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    rmSync(dataDir, { recursive: true, force: true });
    await store.remove();
  });

  it('every request is answered 200, with its event’s id', async () => {
    for (const { name, path, headers, wire } of captures()) {
      const answer = await fetch(service.url + path, { method: 'POST', headers, body: new Uint8Array(wire) });
      assert.equal(answer.status, 200, name);
      const { id } = (await answer.json()) as { id?: string };
      if (EXPECTED[name]) {
        assert.equal(id, sentId(name) ?? id, name);
        names.set(id ?? 'no id', name);
      } else {
        assert.equal(id, undefined, name);
      }
    }
  });

  it('the list has every error, with counts and users', async () => {
    const sum = (rows: readonly ErrorBody[]): number => rows.reduce((total, row) => total + row.count, 0);
    errors = await eventually(
      () => readPages<ErrorBody>(service, `${base}?per_page=7&status=all`),
      (rows) => sum(rows) === names.size,
    );
    assert.deepEqual(
      [...new Set(errors.map(({ title }) => title))].sort(),
      [...new Set(carrying.map(([, { title }]) => title))].sort(),
    );
    // Browsers send no user; everybody else sends the same one.
    assert.deepEqual([...new Set(errors.map((error) => error.user_count))].sort(), [0, 1]);
  });

  it('every event can be read under its error', async () => {
    const byId = new Map(errors.map((error) => [error.id, error]));
    const perError = new Map<string, number>();
    for (const error of errors) {
      const events = await readPages<EventBody>(service, `${base}/${error.id}/events?per_page=3`);
      for (const { event_id } of events) {
        const event = (await service.get(`${base}/${error.id}/events/${event_id}`)) as EventBody;
        const name = names.get(event_id);
        const expected = EXPECTED[name ?? ''];
        assert.ok(expected, `nobody sent ${event_id}`);
        assert.equal(byId.get(event.error_id)?.title, expected.title, name);
        assert.equal(byId.get(event.error_id)?.type, expected.type, name);
        assert.deepEqual([event.level, event.platform], [expected.level, expected.platform], name);
        assert.deepEqual(
          event.exceptions.map(({ type, value }) => [type, value]),
          (expected.exceptions ?? []).map(([type, value]) => [type, value]),
          name,
        );
        perError.set(error.id, (perError.get(error.id) ?? 0) + 1);
      }
    }
    assert.deepEqual(
      errors.map((error) => perError.get(error.id)),
      errors.map((error) => error.count),
    );
  });

  it('every store gives the same answers', async () => {
    const all: unknown[] = [];
    for (const error of errors) {
      const read = await readPages<EventBody>(service, `${base}/${error.id}/events?per_page=100`);
      const events = await Promise.all(
        read.map(({ event_id }) => service.get(`${base}/${error.id}/events/${event_id}`)),
      );
      if (events.length > 1) {
        // Two captures may lie milliseconds apart: which of them is the latest is a matter of how fast they were sent.
        all.push({ count: error.count, users: error.user_count, events: events.map(comparable).sort() });
        continue;
      }
      all.push({
        detail: await service.get(`${base}/${error.id}`),
        events,
        stack: await service.get(`${base}/${error.id}/stack_trace`),
        web: await service.get(`/${service.first.project_path}/-/error_tracking/${error.id}/details.json`),
        webStack: await service.get(`/${service.first.project_path}/-/error_tracking/${error.id}/stack_trace.json`),
      });
    }
    answers.set(kind.name, all.map(comparable).sort());
    const [first] = answers.values();
    assert.deepEqual(answers.get(kind.name), first);
  });

  /** Without numbers given in order of arrival, neighbours and position by it, addresses, ids the service made, and times that depend on the clock. */
  function comparable(answer: unknown): string {
    const hidden = new Set([
      'id',
      'error_id',
      'web_url',
      'external_url',
      'external_base_url',
      'frequency',
      'frequency_30d',
      'next_event_id',
      'previous_event_id',
      'position',
    ]);
    return JSON.stringify(
      answer,
      (key, value: unknown) => {
        if (hidden.has(key)) return undefined;
        return typeof value === 'string'
          ? (names.get(value) ?? value.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'time'))
          : value;
      },
      1,
    );
  }
});
