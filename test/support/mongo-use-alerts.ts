import type { Connection } from 'mongoose';
import { DEFAULT_ALERTS, DEFAULT_PREFERENCES } from '../../src/domain/alerts/alert-rule.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { factDocument } from '../../src/storage/mongo/documents/alert-documents.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { COLLECTIONS } from '../../src/storage/mongo/engine/collections.ts';
import { makeConversation, makeDelivery } from './alert-data.ts';
import { factsOf } from './facts.ts';
import { importIssue, makeIssue, makeSource } from './import-data.ts';
import { KEEP } from './prune-all.ts';
import { HOUR, makeEvent, NOON, TestJournal } from './store-data.ts';
import { SMALL_ROWS } from './mongo-engine.ts';

/** Fills the collections of alerts, so that a planner prefers indexes to scans. Places begin with 1. */
export async function fillAlerts(connection: Connection, projects: readonly number[]): Promise<void> {
  const insert = async (name: keyof typeof COLLECTIONS, make: (p: number, index: number) => object) =>
    connection.db
      ?.collection(COLLECTIONS[name].name)
      .insertMany(
        Array.from({ length: SMALL_ROWS }, (_, index) => make(projects[index % projects.length] ?? 1, index)),
      );
  await insert('alertFacts', (p, index) => {
    const fact = {
      id: `filled:${index}`,
      kind: 'new',
      cause: {},
      projectId: p,
      errorId: String(index),
      at: index,
    } as const;
    const texts = {
      type: null,
      title: 'x',
      message: null,
      culprit: null,
      level: null,
      release: null,
      environment: null,
    };
    const { w: _waiting, ...document } = factDocument({ ...fact, ...texts }, index, 0);
    return { ...document, seq: index + 1 };
  });
  await connection.db
    ?.collection<{ _id: string }>(COLLECTIONS.control.name)
    .insertOne({ _id: 'facts', version: 0, last: SMALL_ROWS } as { _id: string });
  await insert('alertChannels', (_, index) => ({ _id: 10_000 + index, projectId: 10_000 + index, sealed: 's' }));
  await insert('projectAlerts', (_, index) => ({ _id: 10_000 + index, ...DEFAULT_ALERTS }));
  await insert('alertPreferences', (_, index) => ({ _id: 10_000 + index, ...DEFAULT_PREFERENCES }));
  await insert('alertConversations', (_, index) => {
    const { destination, ...members } = makeConversation(`user:${10_000 + index}`);
    return { _id: destination, ...members };
  });
  await insert('alertDeliveries', (p, index) => ({
    ...{ _id: `msg_filled${index}`, projectIds: [p], at: NOON + index, first: index, last: index + 1 },
    ...{ state: index % 50 === 0 ? 'failed' : 'sent', destination: 'user:1', message: { parts: [] } },
  }));
  await insert('alertArms', (_, index) => ({ _id: `${10_000 + index}/1/1`, projectId: 10_000 + index, ruleId: 1 }));
}

/** Runs every query of alerts at least once, in every form with another plan. */
export async function useAlerts(store: Store, { collections }: MongoContext, project: Project): Promise<void> {
  const { id } = project;
  const journal = new TestJournal(store, 'alerts');
  const events = ['a', 'b', 'c'].map((name) => makeEvent(project, `alert ${name}`, { group: `alert ${name}` }));
  await journal.apply(events);
  const [fact] = await factsOf(store, id);
  const [first, ...others] = (await factsOf(store, id)).slice(-3).map(({ errorId }) => errorId);
  await store.silenceFacts([{ seq: fact?.seq ?? 0, reason: 'No rule reports it.' }]);
  await store.factsOfError(id, first ?? '');
  await store.lastFact();
  const channel = await store.createChannel(
    { projectId: id, type: 'slack', name: 'ops', host: 'hooks.test', sealed: 's' },
    NOON,
  );
  await store.listChannels(id);
  await store.listChannels(null);
  await store.updateChannel(id, channel.id, { name: 'team' });
  await store.replaceSealedChannel(channel.id, 's', 't');
  await store.saveProjectAlerts(id, DEFAULT_ALERTS);
  await store.projectAlerts(id);
  await store.listProjectAlerts();
  const user = await store.userByName('triage');
  await store.saveAlertPreferences(user?.id ?? 0, DEFAULT_PREFERENCES);
  await store.alertPreferences(user?.id ?? 0);
  await store.listAlertPreferences();
  const conversation = makeConversation(`channel:${channel.id}`);
  await store.saveConversation(conversation);
  await store.saveConversation({ ...conversation, version: 2 });
  await store.removeChannel(id, channel.id);
  const delivery = makeDelivery([project]);
  await store.saveDelivery(delivery);
  await store.saveDelivery(makeDelivery([{ ...project, id: 999_999 }]));
  await store.deliveryById(delivery.id);
  for (const destination of [null, 'user:1'] as const) {
    const query = { projectId: id, destination, limit: 10 };
    await store.listDeliveries({ ...query, after: null });
    await store.listDeliveries({ ...query, after: delivery.id });
  }
  await store.deliveriesAround(id, 7);
  await store.failedDeliveries(id);
  await store.failedDeliveries(null);
  const arm = { projectId: id, ruleId: 1, errorId: first ?? '', fired: 1, armed: false, belowSince: null };
  await store.saveThresholdArm(arm);
  await store.thresholdArms(id);
  await store.removeThresholdArm(arm);
  await store.errorStates(id, [first ?? '', ...others]);
  await useBusyErrors(store, collections, project, [first ?? '', ...others]);
  await store.prune({ ...KEEP, factsBefore: 10, deliveriesBefore: NOON + 10, auditBefore: NOON + 1 });
}

/** Looks at errors as jobs do, with a merged one and one that was imported and has lost its log. */
async function useBusyErrors(
  store: Store,
  collections: MongoContext['collections'],
  project: Project,
  errors: readonly string[],
): Promise<void> {
  const { id } = project;
  const source = await makeSource(store, project);
  await importIssue(store, project, makeIssue(source, 'busy'), 10, ['busy']);
  await new TestJournal(store, 'busy').apply([makeEvent(project, 'busy', { group: 'busy', at: NOON + HOUR })]);
  await collections.errors.updateMany({ p: id, v: 0 }, { $unset: { log: '' } });
  await store.mergeErrors(id, [errors[0] ?? '', errors[1] ?? '']);
  await store.busyErrors(NOON, 1);
  await store.busyErrors(NOON + HOUR, 1);
  await store.recentErrors(id, NOON - 1);
  await store.countEvents(id, errors[0] ?? '', NOON - HOUR, 100);
}
