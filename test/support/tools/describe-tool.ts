import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Missing, ProgramRun } from '../sdks/sdk-client.ts';
import { eventually } from '../service-process.ts';
import type { StoreKind } from '../test-stores.ts';
import { CALLS, type ShopBuild, writeShop } from './shop-program.ts';
import { openToolWorld, type ToolProject, type ToolWorld } from './tool-world.ts';

/** A tool that uploads the maps of a program, and a client that runs the program. */
export interface TestedTool {
  /** Name with version. */
  readonly name: string;
  /** Installs tool and client; returns the folder of `node_modules` with the SDK. */
  prepare(): Promise<{ readonly sdk: string } | Missing>;
  /** Builds the program and uploads its maps. Returns what each command printed. */
  build(world: ToolWorld, project: ToolProject, shop: ShopBuild): Promise<readonly ProgramRun[]>;
  /** Runs the built program, which reports its error. */
  start(shop: ShopBuild, project: ToolProject): Promise<ProgramRun>;
  /** Builds with commit, date and deploy. */
  readonly announces: readonly (1 | 2)[];
  /** Warnings that the tool prints in any case. */
  readonly expected?: RegExp;
}

interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly culprit: string;
  readonly count: number;
}

interface ShownFrame {
  readonly function: string | null;
  readonly filename: string | null;
  readonly lineno: number | null;
  readonly in_app: boolean;
  readonly context_line: string | null;
  readonly pre_context: readonly string[];
  readonly post_context: readonly string[];
  readonly raw?: { readonly lineno: number | null };
  readonly unmapped?: string;
}

interface ShownEvent {
  readonly release: string | null;
  readonly exceptions: readonly { readonly type: string; readonly frames: readonly ShownFrame[] }[];
}

const COMPLAINT = /warn|error|fail|not found|deprecat|unable|⚠|✖/i;
const BUILDS = [1, 2] as const;

/** Declares the suites of tools on one kind of store, with one service for all, which may be below a path. */
export function describeTools(kind: StoreKind, tools: readonly TestedTool[], belowPath = false): void {
  let world: ToolWorld;
  before(async function () {
    this.timeout(120_000);
    world = await openToolWorld(kind, belowPath);
  });
  after(async () => {
    assert.deepEqual(world.sandbox.asked, [], 'tools asked for other hosts');
    await world.close();
  });
  for (const tool of tools) describeTool(tool, () => world);
}

function describeTool(tool: TestedTool, theWorld: () => ToolWorld): void {
  describe(tool.name, () => {
    let world: ToolWorld;
    let project: ToolProject;
    const shops: ShopBuild[] = [];
    const printed: string[] = [];
    const events: ShownEvent[] = [];
    let errors: readonly ListedError[];

    before(async function () {
      this.timeout(600_000);
      const prepared = await tool.prepare();
      if ('missing' in prepared) {
        const reason = `${tool.name} cannot be installed: ${prepared.missing}`;
        if (process.env.ERRGATE_TEST_TOOLS === 'required') throw new Error(reason);
        console.log(`      SKIPPED ${reason}`);
        this.skip();
      }
      world = theWorld();
      const name = tool.name.replaceAll(/[^a-z0-9]+/g, '-');
      project = await world.givenProject(name);
      const path = `projects/${project.id}/error_tracking/errors`;
      for (const build of BUILDS) {
        const shop = await writeShop(join(world.folder, `${name}-${build}`), build, prepared.sdk);
        shops.push(shop);
        for (const { status, log } of await tool.build(world, project, shop)) {
          printed.push(log);
          assert.equal(status, 0, printed.join('\n'));
        }
        const { status, log } = await tool.start(shop, project);
        assert.equal(status, 0, log);
        errors = (await eventually(
          () => world.api('GET', path),
          (rows) => (rows as ListedError[]).reduce((sum, { count }) => sum + count, 0) === build,
        )) as readonly ListedError[];
        events.push((await world.api('GET', `${path}/${errors[0]?.id ?? ''}/events/latest`)) as ShownEvent);
      }
    });

    it('prints no warning', () => {
      const complaints = printed.flatMap((log) => log.split('\n')).filter((line) => COMPLAINT.test(line));
      const { expected = null } = tool;
      assert.deepEqual(
        complaints.filter((line) => expected === null || !expected.test(line)),
        [],
        printed.join('\n'),
      );
    });

    it('has functions, files and lines of the sources', () => {
      events.forEach((event, at) => {
        const frames = event.exceptions[0]?.frames.filter(({ in_app: own }) => own).slice(-CALLS.length) ?? [];
        assert.deepEqual(
          frames.map(({ function: name, filename, lineno }) => `${name ?? '?'} ${filename ?? '?'}:${lineno ?? '?'}`),
          CALLS.map(({ name, file, line }) => {
            const lines = shops[at]!.linesOf(file).map((each) => each.trim());
            return `${name} src/${file}:${lines.indexOf(line) + 1}`;
          }),
          JSON.stringify(event.exceptions),
        );
        for (const { raw, unmapped } of frames) {
          assert.ok(raw !== undefined && unmapped === undefined);
        }
      });
    });

    it('has the lines of the sources around each call', () => {
      events.forEach((event, at) => {
        const frames = event.exceptions[0]?.frames.filter(({ in_app: own }) => own).slice(-CALLS.length) ?? [];
        CALLS.forEach(({ file, line }, call) => {
          const lines = shops[at]!.linesOf(file);
          const n = lines.findIndex((each) => each.trim() === line);
          const { context_line: its, pre_context: before, post_context: after } = frames[call]!;
          assert.deepEqual([...before, its, ...after], lines.slice(Math.max(0, n - 5), n + 6));
          assert.equal(its, lines[n]);
        });
      });
    });

    it('has one error for both builds', () => {
      assert.deepEqual(
        errors.map(({ title, culprit, count }) => [title, culprit, count]),
        [['RangeError: no price for Persuasion', 'priceOf(src/prices.js)', 2]],
      );
    });

    it('tells release, commit and deploy', async () => {
      for (const { build, release, commit } of shops) {
        assert.equal(events[build - 1]?.release, release);
        if (!tool.announces.includes(build)) continue;
        const path = `api/0/projects/${project.organization}/${project.name}/releases/${encodeURIComponent(release)}/`;
        const read = async (of: string) => {
          const headers = { authorization: `Bearer ${project.token}` };
          const answer = await fetch(`${world.url}/${path}${of}`, { headers });
          assert.equal(answer.status, 200, await answer.clone().text());
          return answer.json();
        };
        const told = (await read('')) as { ref: string | null; dateReleased: string | null };
        const commits = (await read('commits/')) as { id: string }[];
        assert.equal(told.ref ?? commits[0]?.id, commit);
        assert.notEqual(told.dateReleased, null);
        const deploys = (await read('deploys/')) as { environment: string }[];
        assert.deepEqual(
          deploys.map(({ environment }) => environment),
          ['production'],
        );
      }
    });

    it('has its uploads listed as used', async () => {
      const rows = (await world.api('GET', `projects/${project.id}/error_tracking/artifacts`)) as {
        release: string | null;
        last_used_at: string | null;
      }[];
      for (const { release } of shops) {
        const its = rows.filter((row) => row.release === release);
        assert.ok(its.length > 0 && its.some(({ last_used_at: used }) => used !== null), JSON.stringify(rows));
      }
    });
  });
}
