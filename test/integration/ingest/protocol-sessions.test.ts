import assert from 'node:assert/strict';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { presentRelease } from '../../../src/gateway/api/releases/release-presenter.ts';
import { AUTH, ENVELOPE, type IngestApp, NOW, startIngestApp } from '../../support/ingest-app.ts';
import { withOwnPayload } from '../../support/pack-events.ts';
import { BatchJournal } from '../../support/session-data.ts';
import { DAY, EVERYTHING, makeProject } from '../../support/store-data.ts';
import { makeLocalSqlite, type StoreHarness } from '../../support/store-harness.ts';
import { digester } from '../../unit/integrated/digest/digest-support.ts';

const EVENT = '7f9bdf379dd94837b0dd965053664889';
const SID = 'c0c9c4c0-b2a6-4a0a-8a0b-0e2f3f4f5a6b';
const MINUTE = 60_000;
const iso = (ms: number): string => new Date(NOW + ms).toISOString();
const ATTRS = { release: 'shop@1', environment: 'production' };
const SESSION = {
  sid: SID,
  init: true,
  started: iso(-MINUTE),
  timestamp: iso(0),
  status: 'ok',
  errors: 0,
  attrs: ATTRS,
};

describe('protocol: sessions and reports', () => {
  let app: IngestApp;
  let harness: StoreHarness;
  let store: Store;
  let project: Project;
  let journal: BatchJournal;

  beforeEach(async () => {
    [app, harness] = [await startIngestApp(), await makeLocalSqlite()];
    ({ store } = harness);
    project = await makeProject(store);
    journal = new BatchJournal(store);
  });
  afterEach(async () => {
    await app.close();
    await harness.dispose();
  });

  /** Sends items in an envelope each, and brings what was taken into the store. */
  async function give(type: string, ...payloads: readonly object[]): Promise<void> {
    for (const payload of payloads) {
      const body = `{}\n${JSON.stringify({ type })}\n${JSON.stringify(payload)}`;
      const answer = await app.send(ENVELOPE, { headers: AUTH, body });
      assert.deepEqual([answer.status, answer.text], [200, type === 'event' ? `{"id":"${EVENT}"}` : '{}']);
    }
    const digested = app.sink.records
      .splice(0)
      .map((record) => digester()({ ...record, projectId: project.id, keyId: 1 }));
    await journal.give({
      events: digested.flatMap(({ event }) => (event === null ? [] : withOwnPayload(event))),
      sessions: digested.flatMap(({ session }) => session ?? []),
      reports: digested.flatMap(({ report }) => report ?? []),
      outcomes: digested.flatMap(({ outcomes }) => outcomes),
    });
  }
  async function outcomeRows(): Promise<string[]> {
    const rows = await store.listOutcomes(project.id, NOW - DAY, NOW + DAY);
    return rows.map(({ category, outcome, reason, quantity }) => `${category} ${outcome}/${reason} ${quantity}`);
  }
  async function release() {
    const [found] = (await store.listReleases(project.id, { environment: null, limit: 1, cursor: null }, NOW)).items;
    assert.ok(found !== undefined);
    return presentRelease(found, project, null);
  }
  async function counts(): Promise<Record<string, number>> {
    const { sessions } = await release();
    return Object.fromEntries(Object.entries(sessions).filter(([, count]) => count > 0));
  }

  describe('7.1 Updates of one session', () => {
    it('an id with dashes and capitals is the same session', async () => {
      await give('session', SESSION, { ...SESSION, sid: SID.replaceAll('-', '').toUpperCase(), init: false });
      assert.deepEqual(await counts(), { total: 1, healthy: 1 });
    });

    it('a release, an id and a start are required; without them it is counted as invalid', async () => {
      await give('session', { ...SESSION, attrs: {} }, { ...SESSION, sid: 'x' }, { ...SESSION, started: undefined });
      assert.deepEqual(await outcomeRows(), ['session invalid/invalid_session 2', 'session invalid/no_release 1']);
    });

    it('the user, duration, sequence, address and agent may be missing, or {{auto}}', async () => {
      const attrs = { ...ATTRS, ip_address: '{{auto}}', user_agent: 'agent' };
      await give('session', { ...SESSION, seq: 7, duration: 0.06, attrs });
      assert.deepEqual([await counts(), (await release()).users.total], [{ total: 1, healthy: 1 }, 0]);
    });

    for (const [status, expected] of [
      ['exited', 'healthy'],
      ['crashed', 'crashed'],
      ['abnormal', 'abnormal'],
      ['unhandled', 'unhandled'],
      ['errored', 'errored'],
      ['unknown to the protocol', 'errored'],
    ] as const) {
      it(`the state ${status} counts as ${expected}`, async () => {
        await give('session', SESSION, { ...SESSION, init: false, status });
        assert.deepEqual(await counts(), { total: 1, [expected]: 1 });
      });
    }

    it('a number of errors makes it errored, in any state', async () => {
      await give('session', { ...SESSION, status: 'exited', errors: 2 });
      assert.deepEqual(await counts(), { total: 1, errored: 1 });
    });

    it('a time before the start is read as the start', async () => {
      await give('session', { ...SESSION, timestamp: iso(-5 * MINUTE) });
      assert.equal((await release()).first_seen, iso(-MINUTE));
    });
  });

  describe('7.2 Sessions counted by a server', () => {
    const group = (entry: object) => ({ attrs: ATTRS, aggregates: [{ started: iso(-MINUTE), ...entry }] });

    it('the counts of an aggregate are added; absent ones are 0', async () => {
      await give('sessions', group({ exited: 5, errored: 2, crashed: 1 }), group({ abnormal: 1, unhandled: 3 }));
      assert.deepEqual(await counts(), { total: 12, healthy: 5, errored: 2, crashed: 1, abnormal: 1, unhandled: 3 });
      assert.deepEqual(await outcomeRows(), ['session accepted/ 2'], 'an item is one, whatever it counts');
    });

    it('users are counted separately where it names them', async () => {
      await give(
        'sessions',
        group({ exited: 1, did: 'a' }),
        group({ crashed: 1, did: 'b' }),
        group({ exited: 9, did: 'a' }),
      );
      assert.deepEqual((await release()).users, { total: 2, crashed: 1 });
    });

    it('an entry that cannot be counted is left out; an item without any other is counted as invalid', async () => {
      const aggregates = [{ started: iso(0), exited: -1 }, { exited: 1 }, { started: iso(-6 * DAY), exited: 1 }];
      await give('sessions', { attrs: ATTRS, aggregates: [...aggregates, { started: iso(0), exited: 1 }] });
      await give('sessions', { attrs: ATTRS, aggregates: aggregates.slice(0, 2) });
      assert.deepEqual(await counts(), { total: 1, healthy: 1 });
      assert.deepEqual(await outcomeRows(), ['session accepted/ 1', 'session invalid/invalid_session 1']);
    });
  });

  describe('7.3 Totals', () => {
    it('more than 5 days old: expired, counted as invalid for being too old', async () => {
      await give('session', { ...SESSION, started: iso(-5 * DAY - 1), timestamp: iso(-5 * DAY - 1) });
      await give('sessions', { attrs: ATTRS, aggregates: [{ started: iso(-5 * DAY - 1), exited: 1 }] });
      await give('session', { ...SESSION, started: iso(-5 * DAY), timestamp: iso(-5 * DAY) });
      assert.deepEqual(await outcomeRows(), ['session accepted/ 1', 'session invalid/too_old 2']);
    });

    it('more than a minute ahead: counted as invalid for being in the future', async () => {
      await give('session', { ...SESSION, started: iso(MINUTE + 1), timestamp: iso(MINUTE + 1) });
      assert.deepEqual(await outcomeRows(), ['session invalid/in_future 1']);
    });

    it('updates that are repeated, late or out of order count once', async () => {
      const end = { ...SESSION, init: false, seq: 9, status: 'exited' };
      await give('session', end, SESSION, end, { ...SESSION, seq: 3 });
      assert.deepEqual([await counts(), await outcomeRows()], [{ total: 1, healthy: 1 }, ['session accepted/ 4']]);
    });

    it('an end is final, and the number of errors never decreases', async () => {
      await give('session', { ...SESSION, status: 'crashed', errors: 1 }, { ...SESSION, status: 'exited', errors: 0 });
      assert.deepEqual(await counts(), { total: 1, crashed: 1 });
    });

    it('the release and environment of a session do not change; an update with others is counted as invalid', async () => {
      await give('session', SESSION, { ...SESSION, attrs: { ...ATTRS, release: 'shop@2' } });
      assert.deepEqual(await outcomeRows(), ['session accepted/ 1', 'session invalid/session_changed 1']);
    });

    it('an id that stands for no user is not counted as a user', async () => {
      const dids = ['7', '7', 'ada', '00000000-0000-0000-0000-000000000000', null];
      await give('session', ...dids.map((did, index) => ({ ...SESSION, sid: `${index + 1}`.repeat(32), did })));
      assert.equal((await release()).users.total, 2);
    });

    it('crash-free are those that did not crash, of sessions and of users; without any there is no rate', async () => {
      const states = ['exited', 'exited', 'crashed', 'abnormal'];
      await give(
        'session',
        ...states.map((status, index) => ({ ...SESSION, status, sid: `${index + 1}`.repeat(32), did: index % 2 })),
      );
      const { crash_free_sessions, crash_free_users } = await release();
      assert.deepEqual([crash_free_sessions, crash_free_users], [0.75, 0.5]);
      await give('event', { event_id: EVENT, message: 'x', release: 'shop@9' });
      const only = await store.listReleases(project.id, { environment: null, limit: 9, cursor: null }, NOW);
      const last = only.items.find((each) => each.release === 'shop@9');
      assert.ok(last !== undefined);
      assert.equal(presentRelease(last, project, null).crash_free_sessions, null);
    });
  });

  describe('8.1 User reports and feedback', () => {
    const REPORT = { event_id: EVENT, name: 'Ada', email: 'ada@example.test', comments: 'It broke.' };
    const reports = async () => {
      const [error] = (await store.listErrors(project.id, EVERYTHING, NOW)).items;
      assert.ok(error !== undefined);
      return ((await store.event(project.id, error.id, EVENT))?.userReports ?? []).map(({ kind, comments }) => [
        kind,
        comments,
      ]);
    };
    const event = { event_id: EVENT, message: 'x' };

    it('a report is kept with its event, in either order', async () => {
      await give('user_report', REPORT);
      await give('event', event);
      app.clock.at += 1;
      await give('user_report', { ...REPORT, comments: 'Again.' });
      assert.deepEqual(await reports(), [
        ['user_report', 'It broke.'],
        ['user_report', 'Again.'],
      ]);
    });

    it('feedback is kept with the event that it names', async () => {
      const feedback = { message: 'I saw a blank page', contact_email: 'a@b.test', associated_event_id: EVENT };
      await give('event', event);
      await give('feedback', { event_id: 'a'.repeat(32), contexts: { feedback } });
      assert.deepEqual(await reports(), [['feedback', 'I saw a blank page']]);
    });

    it('without an event or text it is dropped and counted', async () => {
      await give('feedback', { contexts: { feedback: { message: 'nice site' } } });
      await give('user_report', { event_id: EVENT });
      assert.deepEqual(await outcomeRows(), ['default invalid/empty_report 1', 'feedback filtered/no_event 1']);
    });
  });
});
