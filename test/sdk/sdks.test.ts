import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERY_VERSION } from '../support/sdks/every-version.ts';
import type { ProgramRun, SdkClient, Story } from '../support/sdks/sdk-client.ts';
import { CAPTURED_SDKS, SDK_LANGUAGES } from '../support/sdks/sdk-languages.ts';
import { givenSdkProject } from '../support/sdks/sdk-project.ts';
import { SdkTable } from '../support/sdks/sdk-table.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { describeOnStores, type StoreKind } from '../support/test-stores.ts';

interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly level: string;
  readonly count: number;
  readonly user_count: number;
  readonly first_release: string;
  readonly culprit: string;
  readonly status: string;
}

interface FrameBody {
  readonly function: string | null;
  readonly lineno: number | null;
  readonly in_app: boolean;
}

interface EventBody {
  readonly level: string;
  readonly release: string;
  readonly environment: string;
  readonly exceptions: { readonly type: string; readonly value: string; readonly frames: FrameBody[] | null }[];
  readonly threads: { readonly frames: FrameBody[] | null }[] | null;
  readonly breadcrumbs: { readonly message: string }[];
  readonly user: { readonly id: string; readonly email: string };
  readonly sdk: { readonly version: string } | null;
  readonly tags: { readonly key: string; readonly value: string }[];
}

interface ReleaseBody {
  readonly release: string;
  readonly events: number;
  readonly new_errors: number;
  readonly sessions: Readonly<Record<'total' | 'healthy' | 'errored' | 'crashed', number>>;
  readonly users: Readonly<Record<'total' | 'crashed', number>>;
  readonly crash_free_sessions: number | null;
}

const ASSERTIONS = {
  quiet: 'ends well, and its debug log has no warning and no error',
  listed: 'has its exception and its message listed with title, culprit and level, each counted once with its user',
  context: 'has environment, release, user, tags and breadcrumbs in the event',
  cause: 'has the cause before the exception',
  frames: 'has the crashing frame last, as application code with its line',
  page: 'has its stack trace in the JSON of the page',
  sessions: 'has its sessions counted with the release',
} as const;
const COLUMNS = Object.keys(ASSERTIONS);
const columnOf = new Map<string, string>(Object.entries(ASSERTIONS).map(([column, title]) => [title, column]));

const table = new SdkTable(COLUMNS);
/** Service for every SDK on one kind of store. */
interface SharedService extends ServiceProcess {
  /** Removes its data after its end. */
  remove(): Promise<void>;
}
const services = new Map<string, SharedService>();

async function serviceOn(kind: StoreKind): Promise<SharedService> {
  const running = services.get(kind.name);
  if (running !== undefined) return running;
  const dataDir = mkdtempSync(join(tmpdir(), 'errgate-sdk-'));
  const store = kind.forProcesses();
  const remove = (): Promise<void> => {
    rmSync(dataDir, { recursive: true, force: true });
    return store.remove();
  };
  const service = Object.assign(await startServiceProcess(dataDir, store.env), { remove });
  services.set(kind.name, service);
  return service;
}

type Preparation = ReturnType<SdkClient['prepare']>;
const preparations = new Map<SdkClient, Preparation>();

function prepare(client: SdkClient): Preparation {
  const known = preparations.get(client) ?? client.prepare(EVERY_VERSION);
  preparations.set(client, known);
  return known;
}

/** The first of the clients that this machine can run; says loudly why another cannot. */
async function choose(
  language: string,
  clients: readonly SdkClient[],
): Promise<{ client: SdkClient; start: (dsn: string) => Promise<ProgramRun> } | null> {
  for (const client of clients) {
    const start = await prepare(client);
    if (typeof start === 'function') return { client, start };
    console.log(`      SKIPPED ${client.name} ${client.version} (${language}): ${start.missing}`);
  }
  return null;
}

describe('real SDKs', () => {
  for (const { language, clients } of SDK_LANGUAGES) {
    for (const candidates of EVERY_VERSION ? clients.map((client) => [client]) : [clients]) {
      const name = EVERY_VERSION ? `${candidates[0]?.name} ${candidates[0]?.version}` : `${language}, newest version`;
      describeOnStores(name, (kind, suite) => {
        suite.timeout(60_000);
        let service: ServiceProcess;
        let client: SdkClient | undefined;
        let story: Story;
        let path: string;
        let run: ProgramRun;
        let errors: string;
        let exception: ListedError;
        let message: ListedError;
        let event: EventBody;
        const results = new Map<string, boolean>();

        before(async function () {
          this.timeout(600_000);
          const chosen = await choose(language, candidates);
          if (chosen === null) {
            const [first] = candidates;
            if (first !== undefined)
              table.add({
                language,
                sdk: first.name,
                version: first.version,
                how: 'skipped: not to be had here',
                results,
              });
            this.skip();
          }
          client = chosen.client;
          ({ story } = client);
          service = await serviceOn(kind);
          path = `sdks/${language.toLowerCase().replaceAll(/\W+/g, '-')}-${client.version}`;
          const project = await givenSdkProject(service, path);
          run = await chosen.start(project.dsn);
          ({ errors } = project);
          const rows = (await eventually(
            () => service.get(errors),
            (answer) => (answer as ListedError[]).length === 2,
          ).catch((error: unknown) => assert.fail(`${String(error)}\n${run.status}: ${run.log}`))) as ListedError[];
          const [thrown, said] = [story.exception.title, story.message].map((title) =>
            rows.find((row) => row.title === title),
          );
          assert.ok(thrown !== undefined && said !== undefined, JSON.stringify(rows));
          [exception, message] = [thrown, said];
          event = (await service.get(`${errors}/${exception.id}/events/latest`)) as EventBody;
          console.log(`      ran ${client.name} ${client.version}`);
        });

        afterEach(function () {
          const { title, state } = this.currentTest ?? {};
          const column = columnOf.get(title ?? '');
          if (column === undefined || state === undefined) return;
          // A yes would say that an SDK which sends no sessions does.
          if (column === 'sessions' && state === 'passed' && story.sessions === null) return;
          results.set(column, state === 'passed');
        });

        after(() => {
          if (client === undefined) return;
          table.add({ language, sdk: client.name, version: client.version, how: `run, ${kind.name}`, results });
        });

        it(ASSERTIONS.quiet, () => {
          assert.equal(run.status, 0, run.log);
          assert.notEqual(run.log, '', 'its debug option is on');
          assert.doesNotMatch(run.log, client?.complaints ?? /^/);
          assert.equal(event.sdk?.version, client?.version);
        });

        it(ASSERTIONS.listed, () => {
          assert.equal(exception.culprit, story.exception.culprit);
          assert.equal(exception.level, 'error');
          assert.equal(event.level, 'error');
          assert.equal(message.level, 'warning');
          for (const row of [exception, message]) {
            assert.equal(row.count, 1);
            assert.equal(row.user_count, 1);
            assert.equal(row.first_release, 'shop@1.4.2');
            assert.equal(row.status, 'unresolved');
          }
        });

        it(ASSERTIONS.context, () => {
          assert.equal(event.environment, 'staging');
          assert.equal(event.release, 'shop@1.4.2');
          assert.equal(event.user.id, '7');
          assert.equal(event.user.email, 'ada@example.com');
          assert.ok(event.tags.some((tag) => tag.key === 'shard' && tag.value === 'eu-1'));
          assert.ok(event.breadcrumbs.some((crumb) => crumb.message === 'added a book'));
        });

        it(ASSERTIONS.cause, () => {
          const { cause, title } = story.exception;
          assert.deepEqual(
            event.exceptions.map((one) => one.type),
            [cause, title.split(':')[0]],
          );
          assert.deepEqual(
            event.exceptions.map((one) => one.value.replaceAll(/^'|'$/g, '')),
            ['card number is missing', 'checkout failed'],
          );
        });

        it(ASSERTIONS.frames, () => {
          // Rust has no stack with its errors; the SDK adds that of the thread, which ends in the SDK itself.
          const own = event.exceptions.at(-1)?.frames;
          const frames = own ?? event.threads?.[0]?.frames?.filter((frame) => frame.in_app);
          const newest = (frames ?? []).slice(-2);
          assert.deepEqual(
            newest.map((frame) => frame.function?.replace('<anonymous>', '?')),
            story.exception.functions,
          );
          for (const frame of newest) {
            assert.equal(frame.in_app, true);
            assert.ok((frame.lineno ?? 0) > 0);
          }
        });

        it(ASSERTIONS.page, async () => {
          const web = (await service.get(`/${path}/-/error_tracking/${exception.id}/stack_trace.json`)) as {
            error: { stack_trace_entries: { function: string; lineNo: number }[] };
          };
          // The host shows the stack of the first exception that has one: the cause, which failed below the same function.
          const crash = story.exception.functions[1].split(' ').at(-1);
          assert.ok(web.error.stack_trace_entries.some((entry) => entry.function === crash && entry.lineNo > 0));
        });

        it(ASSERTIONS.sessions, async () => {
          const { total, errored, users } = story.sessions ?? { total: 0, errored: 0, users: 0 };
          const releases = (await eventually(
            () => service.get(errors.replace(/errors$/, 'releases')),
            (answer) => (answer as ReleaseBody[])[0]?.sessions.total === total,
          )) as ReleaseBody[];
          assert.equal(releases.length, 1);
          const [release] = releases;
          assert.equal(release?.release, 'shop@1.4.2');
          assert.equal(release.events, 2);
          assert.equal(release.new_errors, 2);
          const { healthy, crashed } = release.sessions;
          assert.deepEqual([release.sessions.errored, healthy, crashed], [errored, total - errored, 0]);
          assert.deepEqual(release.users, { total: users, crashed: 0 });
          assert.equal(release.crash_free_sessions, total === 0 ? null : 1);
        });
      });
    }
  }

  after(async () => {
    for (const service of services.values()) {
      assert.equal(await service.end('SIGTERM'), 0);
      await service.remove();
    }
  });

  after(() => {
    for (const { language, name, version, capture } of EVERY_VERSION ? CAPTURED_SDKS : [])
      table.add({ language, sdk: name, version, how: `capture ${capture}, replayed`, results: new Map() });
    table.print();
  });
});
