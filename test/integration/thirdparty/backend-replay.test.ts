import assert from 'node:assert/strict';
import type { ErrorBackend } from '../../../src/domain/ports/error-backend.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { ErrorQuery } from '../../../src/domain/search/error-query.ts';
import { createThirdpartyBackend } from '../../../src/thirdparty/backend.ts';
import { TrackerClient } from '../../../src/thirdparty/http/client.ts';
import { createUrlGuard } from '../../../src/thirdparty/guard/url-guard.ts';
import { isAppErrorWith } from '../../support/app-error-code.ts';
import { recordedAnswers, startReplay, type Replay } from '../../support/fake-tracker/recorded.ts';

const PROJECT: Project = {
  id: 5,
  path: 'group/app',
  name: 'app',
  visibility: 'private',
  monitorEnabled: true,
  createdAt: 0,
};
const UNRESOLVED: ErrorQuery = {
  status: 'unresolved',
  search: null,
  sort: 'last_seen',
  environment: null,
  release: null,
  level: null,
  limit: 5,
  cursor: null,
};

const bodyOf = (file: string): any => recordedAnswers.find((each) => each.file === file)?.body; // eslint-disable-line @typescript-eslint/no-explicit-any

interface RecordedException {
  readonly type: string;
  readonly value: string;
  readonly stacktrace?: { readonly frames: readonly Record<string, unknown>[] };
}

const isExceptionEntry = ({ type }: { type: string }): boolean => type === 'exception';

describe('the third-party backend and the recorded answers of a real GlitchTip', () => {
  let replay: Replay;
  let client: TrackerClient;
  let backend: ErrorBackend;
  beforeEach(async () => {
    replay = await startReplay();
    client = new TrackerClient({ guard: createUrlGuard({ allow: '127.0.0.1' }), clock: { now: () => Date.now() } });
    backend = createThirdpartyBackend({
      client,
      settings: {
        projectId: PROJECT.id,
        apiUrl: `${replay.origin}/api/0/projects/bench/bench/`,
        thirdpartyProjectId: '1',
      },
      token: () => 'f'.repeat(64),
    });
  });
  afterEach(async () => {
    client.close();
    await replay.close();
  });

  it('lists errors and pages through them', async () => {
    const first = await backend.list(PROJECT, UNRESOLVED);
    assert.deepEqual(
      first.items.map(({ id, title, count, level }) => [id, title, count, level]),
      bodyOf('issues-unresolved.json').map((row: Record<string, string>) => [
        row.id,
        row.title,
        Number(row.count),
        row.level,
      ]),
    );
    assert.equal(first.previous, null);
    const [error] = first.items;
    assert.deepEqual([error?.projectId, error?.userCount, error?.culprit ?? null], [5, null, null]);
    const second = await backend.list(PROJECT, { ...UNRESOLVED, cursor: first.next });
    assert.deepEqual(
      second.items.map(({ id }) => id),
      bodyOf('issues-page-2.json').map(({ id }: { id: string }) => id),
    );
    assert.ok(second.previous !== null && second.next !== null);
    assert.deepEqual(replay.unknown, []);
  });

  for (const [sort, file] of [
    ['frequency', 'issues-sort-count.json'],
    ['first_seen', 'issues-sort-first-seen.json'],
  ] as const) {
    it(`sorts by ${sort} after the refusal of Sentry's name for it`, async () => {
      const { items } = await backend.list(PROJECT, { ...UNRESOLVED, sort, limit: 3 });
      assert.deepEqual(
        items.map(({ id }) => id),
        bodyOf(file).map(({ id }: { id: string }) => id),
      );
      assert.deepEqual(replay.unknown, []);
    });
  }

  it('lists ignored errors', async () => {
    const { items, next } = await backend.list(PROJECT, { ...UNRESOLVED, status: 'ignored', limit: 3 });
    assert.deepEqual([items.map(({ id, status }) => [id, status]), next], [[['42', 'ignored']], null]);
  });

  it('shows one error with its tags', async () => {
    const detail = await backend.get(PROJECT, '67');
    assert.deepEqual([detail.id, detail.title, detail.userCount], ['67', 'RuntimeError: outer', null]);
    assert.deepEqual(detail.environments, ['prod']);
    assert.deepEqual(detail.releases, ['app@1.0.0']);
  });

  for (const recorded of recordedAnswers.filter(({ file }) => /^issue-\d-latest/.test(file))) {
    it(`shows the stack trace of ${recorded.file}`, async () => {
      const id = /issues\/(\d+)/.exec(recorded.request.path)![1]!;
      const body = recorded.body as any; // eslint-disable-line @typescript-eslint/no-explicit-any
      const { errorId, event, receivedAt } = await backend.latestEvent(PROJECT, id);
      assert.deepEqual([errorId, event.event_id], [id, body.eventID]);
      assert.equal(receivedAt, Date.parse(body.dateReceived));
      const values: RecordedException[] = body.entries.find(isExceptionEntry).data.values;
      assert.deepEqual(
        event.exceptions.map(({ type, value }) => [type, value]),
        values.map(({ type, value }) => [type, value]),
      );
      for (const [index, { frames }] of event.exceptions.entries()) {
        const real = values[index]?.stacktrace?.frames;
        assert.deepEqual(
          frames?.map((frame) => [frame.filename, frame.function, frame.lineno, frame.in_app]),
          real?.map((frame) => [frame.filename, frame.function, frame.lineNo, frame.inApp]),
        );
        // Lines around the one that failed are found by their numbers.
        for (const [at, frame] of (frames ?? []).entries()) {
          const context = real?.[at]?.context as [number, string][] | undefined;
          const line = context?.find(([number]) => number === frame.lineno)?.[1];
          if (line !== undefined) assert.equal(frame.context_line?.trimEnd(), line.trimEnd());
        }
      }
    });
  }

  it('lists events', async () => {
    const { items } = await backend.listEvents(PROJECT, '67', 20, null);
    assert.deepEqual(
      items.map(({ eventId, errorId }) => [eventId, errorId]),
      [['14d582b0f14e495f963bab72ccf0e5aa', '67']],
    );
  });

  it('changes the status, whatever the answer is spelt like', async () => {
    for (const status of ['resolved', 'ignored', 'unresolved'] as const) {
      assert.equal(await backend.setStatus(PROJECT, '67', status), true);
    }
  });

  it('knows nothing of unknown errors, nor of errors of another project', async () => {
    await assert.rejects(backend.get(PROJECT, '99999999'), isAppErrorWith('not_found'));
    await assert.rejects(backend.latestEvent(PROJECT, '99999999'), isAppErrorWith('not_found'));
    const elsewhere = createThirdpartyBackend({
      client,
      settings: { projectId: 6, apiUrl: `${replay.origin}/api/0/projects/bench/bench/`, thirdpartyProjectId: '2' },
      token: () => 'f'.repeat(64),
    });
    await assert.rejects(elsewhere.get(PROJECT, '67'), isAppErrorWith('not_found'));
    await assert.rejects(elsewhere.latestEvent(PROJECT, '67'), isAppErrorWith('not_found'));
    await assert.rejects(elsewhere.setStatus(PROJECT, '67', 'resolved'), isAppErrorWith('not_found'));
  });
});
