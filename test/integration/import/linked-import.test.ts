import assert from 'node:assert/strict';
import type { MoveInProgress } from '../../../src/domain/ports/move-in.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { runKey } from '../../../src/import/state/run-state.ts';
import { createTokenCipher } from '../../../src/thirdparty/secrets/encrypted-token.ts';
import { parseSecretKey } from '../../../src/thirdparty/secrets/key-ring.ts';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { bodyOf, eventIdFor } from '../../support/import-shop.ts';
import { IMPORT_TOKEN, liveEvent } from '../../support/import-world.ts';
import { eventually } from '../../support/service-process.ts';
import { moveInGateway, type MoveInGateway } from '../../support/move-in-gateway.ts';
import { listAll, makeProject } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

const ERRORS = 8;
/** Matches requests that an import makes for each issue. */
const EVENTS = /\/events\//;
const cipher = createTokenCipher(() => {
  const key = parseSecretKey('5a'.repeat(32));
  return key === null ? [] : [key];
});

describeOnStores('import of a linked project by gateways', (kind, suite) => {
  suite.timeout(60_000);
  let source: FakeSource;
  let opened: OpenedStore;
  let store: Store;
  let project: Project;
  let gateways: MoveInGateway[];
  /** Milliseconds by which the clock of the gateways is ahead. */
  let ahead: number;
  const clock = { now: () => Date.now() + ahead };

  before(async () => {
    opened = await kind.open();
    ({ store } = opened);
  });
  after(() => opened.dispose());

  beforeEach(async () => {
    [gateways, ahead] = [[], 0];
    source = await startFakeSource('sentry');
    source.world.addToken(IMPORT_TOKEN);
    // Without keys: those of an earlier test's project would be refused, and the import stay incomplete.
    for (const slug of ['shop', 'other']) source.world.addIssues(source.world.addProject(slug, { keys: 0 }), ERRORS);
    project = await makeProject(store);
    await link();
  });
  afterEach(async () => {
    source.heal();
    await Promise.all(gateways.map((one) => one.looks.stop()));
    await Promise.all(gateways.map((one) => one.moveIns.stop()));
    await source.close();
  });

  async function link(token = IMPORT_TOKEN, slug = 'shop'): Promise<void> {
    const sealedToken = cipher.encrypt(token, project.id);
    const apiUrl = `${source.origin}/api/0/projects/acme/${slug}/`;
    await store.saveSettings(project.id, { active: true, integrated: false, apiUrl, sealedToken });
  }

  function gateway(): MoveInGateway {
    const one = moveInGateway({ store, clock, cipher, run: runKey(source.origin, 'acme', 'shop'), project });
    gateways.push(one);
    return {
      ...one,
      kill() {
        one.kill();
        gateways = gateways.filter((each) => each !== one);
      },
    };
  }

  const start = async ({ moveIns }: MoveInGateway, switches = false): Promise<void> => {
    await moveIns.start(project, await store.settings(project.id), switches);
  };
  const progressOf = async ({ moveIns }: MoveInGateway): Promise<MoveInProgress> => {
    const found = await moveIns.progress(project.id);
    return found ?? assert.fail('no import was started');
  };
  const reaches = (one: MoveInGateway, state: string): Promise<MoveInProgress> =>
    eventually(
      () => progressOf(one),
      (found) => found.state === state,
    );
  /** Waits until requests for events are held up: the import is in the middle. */
  async function inTheMiddle(): Promise<void> {
    const asked = source.requests.length;
    await eventually(
      async () => source.requests.slice(asked).some((request) => EVENTS.test(request)),
      (found) => found,
    );
  }
  async function startAndHold(one: MoveInGateway, switches = false): Promise<void> {
    source.fail(faults.hang(), EVENTS);
    const middle = inTheMiddle();
    await start(one, switches);
    await middle;
  }
  const imported = async (): Promise<number> => (await listAll(store, project)).length;

  it('warns after the switch of live events that no rule accounts for, with their number', async () => {
    source.world.addIssue(source.world.addProject('live', { keys: 0 }), { bodies: [{ body: bodyOf('live') }] });
    await link(IMPORT_TOKEN, 'live');
    const one = gateway();
    await start(one, true);
    const { message } = await reaches(one, 'done');
    assert.doesNotMatch(message, /live event/);
    for (const name of ['one', 'two']) await liveEvent(store, project, bodyOf('live'), eventIdFor(name));
    assert.match((await progressOf(one)).message, / 2 live events came here without forwarding.*--both-receive/);
  });

  it('goes on in another gateway after a kill, and says that it is interrupted until then', async () => {
    const [first, second] = [gateway(), gateway()];
    await startAndHold(first);
    first.kill();
    ahead = 20_000;
    const between = await progressOf(second);
    assert.deepEqual([between.state, between.endedAt], ['running', null]);
    assert.match(between.message, /interrupted: the gateway .* continues by itself/);
    source.heal();
    await first.expire();
    second.looks.start();
    await reaches(second, 'done');
    assert.equal(await imported(), ERRORS);
  });

  it('does not fail in a gateway that finds another one running it', async () => {
    const [first, second] = [gateway(), gateway()];
    source.fail(faults.late(300));
    const states: string[] = [];
    await Promise.allSettled([start(first), start(second)]);
    second.looks.start();
    await eventually(
      async () => {
        states.push((await progressOf(first)).state);
        return states.at(-1);
      },
      (state) => state === 'done' || state === 'failed',
    );
    assert.deepEqual([...new Set(states)], ['running', 'done']);
    assert.equal(await imported(), ERRORS);
  });

  it('does not switch after a run that leaves something, says so, and switches after one that does not', async () => {
    const one = gateway();
    const [issue] = source.world.projects[0]!.issues.values();
    source.fail(faults.htmlLogin(), new RegExp(`/issues/${issue!.id}/events/`));
    await start(one, true);
    const incomplete = await reaches(one, 'failed');
    assert.match(incomplete.message, /not complete: 1 left: .* of 1 issue; .* The project was not switched/);
    assert.equal((await store.settings(project.id))?.integrated, false);
    source.heal();
    await start(one, true);
    await reaches(one, 'done');
    assert.equal((await store.settings(project.id))?.integrated, true);
  });

  it('is cancelled by any gateway', async () => {
    const [first, second] = [gateway(), gateway()];
    await startAndHold(first);
    const answer = await second.moveIns.cancel(project.id);
    assert.deepEqual([answer?.state, answer?.message], ['running', 'The import is being stopped.']);
    assert.equal((await progressOf(first)).message, 'The import is being stopped.');
    await reaches(second, 'cancelled');
    source.heal();
    second.looks.start();
    await start(second);
    await reaches(first, 'done');
  });

  it('stays cancelled where the store answers slower than the project is looked at', async () => {
    const first = gateway();
    await startAndHold(first);
    const looks = (): number => first.frail.calls.get('settings') ?? 0;
    first.frail.delay = async (method, args) => {
      if (method !== 'saveImportState' || args[0] !== `${project.id}/move-in`) return;
      const before = looks();
      await eventually(
        async () => looks() - before,
        (more) => more >= 3,
      );
    };
    await first.moveIns.cancel(project.id);
    await reaches(first, 'cancelled');
    await first.moveIns.stop();
    assert.equal((await progressOf(first)).state, 'cancelled');
  });

  it('does not go on when it was cancelled while a killed gateway still had the lease', async () => {
    const [first, second] = [gateway(), gateway()];
    await startAndHold(first);
    first.kill();
    assert.equal((await second.moveIns.cancel(project.id))?.state, 'running');
    await first.expire();
    source.heal();
    second.looks.start();
    await reaches(second, 'cancelled');
  });

  it('is cancelled before the tracker has answered once', async () => {
    const first = gateway();
    source.fail(faults.hang());
    await start(first);
    await eventually(
      async () => source.requests.length,
      (requests) => requests > 0,
    );
    await first.moveIns.cancel(project.id);
    const { message } = await reaches(first, 'cancelled');
    assert.match(message, /was stopped/);
    source.heal();
  });

  it('leaves nothing behind when the project is deleted in the middle', async () => {
    const first = gateway();
    await startAndHold(first);
    await store.deleteProject(project.id);
    await eventually(
      async () => {
        await store.releaseLease('none', 'none');
        return store.acquireLease(runKey(source.origin, 'acme', 'shop'), 'probe', 1);
      },
      (ended) => ended,
    );
    source.heal();
    assert.equal(await first.moveIns.progress(project.id), null);
    assert.deepEqual(await store.listImportStates(`${project.id}/`), []);
    await assert.rejects(store.saveImportState(`${project.id}/late`, '{}'), { code: 'project_not_found' });
  });

  it('uses a token that was entered meanwhile, also when the former one is refused at once', async () => {
    const first = gateway();
    let asked = 0;
    const changes: Promise<void>[] = [];
    source.before = (request) => {
      if (!EVENTS.test(request) || (asked += 1) !== 3) return;
      source.world.addToken('newer-token');
      source.world.revoke(IMPORT_TOKEN);
      changes.push(link('newer-token'));
    };
    await start(first);
    await reaches(first, 'done');
    await Promise.all(changes);
    assert.equal(changes.length, 1);
    assert.equal(await imported(), ERRORS);
  });

  it('ends when the project is linked to another one, and does not switch it', async () => {
    const first = gateway();
    await startAndHold(first, true);
    await link(IMPORT_TOKEN, 'other');
    const ended = await reaches(first, 'failed');
    assert.match(ended.message, /linked to another tracker or project now/);
    assert.equal((await store.settings(project.id))?.integrated, false);
    source.heal();
    await start(first);
    await reaches(first, 'done');
  });

  it('says that the tracker does not answer, and until when it is tried', async () => {
    const first = gateway();
    source.fail(faults.status(503), EVENTS);
    const at = clock.now();
    await start(first);
    const { message } = await eventually(
      () => progressOf(first),
      (found) => /does not answer/.test(found.message),
    );
    const [, until = ''] =
      /it answers with status 503\. The import tries again until (\d\d:\d\d:\d\d) UTC/.exec(message) ?? [];
    const wait = Date.parse(`${new Date(at + 240_000).toISOString().slice(0, 10)}T${until}Z`) - at;
    assert.ok(Math.abs(wait - 240_000) < 20_000, message);
    source.heal();
    const after = await eventually(
      () => progressOf(first),
      (found) => !/does not answer/.test(found.message),
    );
    assert.ok(after.state === 'running' || after.state === 'done', after.message);
    await reaches(first, 'done');
  });

  it('waits for a tracker that is away when it is continued', async () => {
    const [first, second] = [gateway(), gateway()];
    await startAndHold(first);
    await eventually(
      () => progressOf(first),
      ({ stages }) => stages.length > 1,
    );
    first.kill();
    await first.expire();
    source.heal();
    source.fail(faults.reset());
    second.looks.start();
    const between = await eventually(
      () => progressOf(second),
      ({ message }) => /^The import is interrupted. The tracker does not answer: .* tries again until/.test(message),
    );
    assert.equal(between.state, 'running');
    source.heal();
    await reaches(second, 'done');
    assert.equal(await imported(), ERRORS);
  });

  it('goes on by itself when the store is back', async () => {
    const first = gateway();
    source.before = (request) => {
      if (EVENTS.test(request)) first.frail.isAway = true;
    };
    first.looks.start();
    await start(first);
    await eventually(
      async () => first.frail.isAway,
      (away) => away,
    );
    source.before = () => undefined;
    first.frail.isAway = false;
    assert.equal((await reaches(first, 'done')).state, 'done');
    assert.equal(await imported(), ERRORS);
  });
});
