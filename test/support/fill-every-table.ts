import { DEFAULT_ALERTS, DEFAULT_PREFERENCES } from '../../src/domain/alerts/alert-rule.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { makeArtifact, makeArtifactMap, makePendingUpload, partsOf } from './artifact-data.ts';
import { auditEvent } from './audit-data.ts';
import { makeConversation, makeDelivery, makePending } from './alert-data.ts';
import type { NormalisedEvent } from '../../src/domain/events/event.ts';
import { encodePayload } from './encode-payload.ts';
import { exception, frame } from './factories.ts';
import { collectAll } from './facts.ts';
import { aliasFor, counted, importIssue, makeIssue, makeSource } from './import-data.ts';
import { makeInvitation } from './invitation-data.ts';
import { makeLinks } from './link-data.ts';
import {
  DAY,
  errorOf,
  hexId,
  HOUR,
  makeEvent,
  makeForward,
  makeForwardState,
  makeProject,
  normalisedEvent,
  TestJournal,
} from './store-data.ts';

/** A recent full hour: an export has the hours of errors that retention keeps. */
const AT = Math.floor(Date.now() / HOUR) * HOUR - HOUR;

/** Project with rows in every table that has rows of projects. */
export interface FilledProject {
  readonly project: Project;
  /** Ids of errors: two of its own and one imported, none of them merged. */
  readonly apart: readonly string[];
  /** Id of an imported error whose merged members have rows in the table of merged errors. */
  readonly merged: string;
}

/** Adds what belongs to no project that is left: a person with a token and a session, a shared value, a gateway. */
export async function fillInstance(store: Store): Promise<number> {
  const user = await store.createUser({ username: 'ada', name: 'Ada', admin: true, passwordHash: 'scrypt$x' });
  const token = { userId: user.id, name: 'one', hash: 'ab'.repeat(32), scopes: ['api'] as const, expiresAt: null };
  await store.createToken(token);
  const { epoch } = (await store.credentials('ada')) ?? { epoch: 0 };
  const ends = { createdAt: AT, endsAt: AT + 1e12 };
  const from = { browser: null, address: null, secondFactor: false };
  await store.createSession({ hash: 'cd'.repeat(32), userId: user.id, epoch, ...ends, ...from });
  await store.beginSecondFactor(user.id, 'v1.sealed');
  const confirmation = { at: AT, step: 7, recoveryHashes: ['ef'.repeat(32)] };
  await store.confirmSecondFactor(user.id, 'v1.sealed', confirmation);
  const identity = { issuer: 'https://sso.test', subject: 'ada-there', name: 'ada', admin: false, signedInAt: AT };
  await store.addIdentity({ ...identity, userId: user.id });
  await store.replaceGrantedRoles(user.id, [{ path: 'elsewhere', level: 20 }]);
  await store.initMeta('user_salt', 'salt');
  await store.announceGateway('a'.repeat(32), '1');
  const group = await store.createGroup({ path: 'acme', name: 'Acme', description: 'Everything.' });
  await store.setGroupMember(group.id, user.id, 50);
  await store.deleteProject((await makeProject(store, 'acme/gone')).id);
  return user.id;
}

/** Adds a project with some of everything. `userId`: its member. */
export async function fillProject(store: Store, path: string, userId: number): Promise<FilledProject> {
  const project = await makeProject(store, `${path}-before`);
  await store.updateProject(project.id, { path });
  await store.addAuditEvent(auditEvent(project.id, { entityId: project.id, entityPath: path }));
  await store.addAlias(project.id, 'alias-of-old-dsn');
  await store.setMember(project.id, userId, 30);
  await store.saveSettings(project.id, { active: true, apiUrl: 'https://t.example/api/0/projects/a/b/' });
  await store.saveProtection(project.id, { sensitiveFields: ['iban'] });
  await store.createKey(project.id, `glet_of_${path.replace('/', '_')}`);
  await store.saveForward(makeForward(project.id));
  await store.saveForwardState(makeForwardState(project.id));
  const journal = new TestJournal(store, path);
  await fillErrors(journal, project);
  await fillReleases(store, journal, project);
  const imports = await fillImports(store, project, userId);
  await store.rollUpMerged();
  await fillAlerts(store, project, userId);
  await fillLinks(store, project, imports.apart, userId);
  await fillBuilds(store, project);
  await store.createInvitation(makeInvitation(project.id));
  await store.deleteErrors(project.id, [(await errorOf(store, project, 'discarded')).id], true, userId, AT);
  const own = await Promise.all(['one', 'two'].map(async (group) => (await errorOf(store, project, group)).id));
  return { project, apart: [...own, imports.apart], merged: imports.merged };
}

async function fillErrors(journal: TestJournal, project: Project): Promise<void> {
  const events = ['one', 'two', 'joined', 'joins', 'discarded'].flatMap((group) =>
    Array.from({ length: 6 }, (_, index) =>
      makeEvent(project, `${group} ${index}`, {
        group,
        user: `user ${index % 3}`,
        userNames: [`user${index % 3}@shop.test`],
        payload: encodePayload(bodyOf(project, `${group} ${index}`)),
        at: AT - index * HOUR,
        release: 'app@1.2.3',
        environment: 'staging',
        tags: [['shard', `shard-${index}`]],
      }),
    ),
  );
  const outcome = { projectId: project.id, keyId: 1, category: 'session', outcome: 'filtered', reason: 'r' } as const;
  await journal.apply(events, [{ ...outcome, at: AT, quantity: 3 }]);
}

/** Body with a frame, which has terms of searches. */
function bodyOf(project: Project, name: string): NormalisedEvent {
  const frames = [frame({ filename: 'shop/cart.py', function: 'Cart.pay', in_app: true })];
  const body = normalisedEvent(hexId(`${project.id} ${name}`), name);
  return { ...body, exceptions: [exception({ type: 'ValueError', value: name, frames })] };
}

async function fillReleases(store: Store, journal: TestJournal, project: Project): Promise<void> {
  const item = { projectId: project.id, keyId: 1, receivedAt: AT };
  const content = { kind: 'user_report', name: null, email: 'a@b.test', comments: 'what a person wrote' } as const;
  journal.n += 1;
  await store.applyBatch(journal.batchId(journal.n), {
    events: [],
    outcomes: [],
    sessions: [
      {
        ...{ ...item, kind: 'update', release: 'app@1.2.3', environment: 'staging', sessionId: hexId(project.path) },
        ...{ startedAt: AT, at: AT, errored: true, end: 'crashed', userHash: hexId('user', 24) },
      },
    ],
    reports: [
      {
        ...{ ...item, eventId: hexId(`${project.id} one 0`) },
        report: { ...content, url: null, id: hexId('report'), receivedAt: AT },
      },
    ],
  });
}

async function fillImports(store: Store, project: Project, userId: number): Promise<{ apart: string; merged: string }> {
  const source = await makeSource(store, project);
  const merged = await importIssue(store, project, makeIssue(source, `${project.id}01`), 40, ['joins']);
  const apart = await importIssue(store, project, makeIssue(source, `${project.id}02`), 7, ['comes later']);
  await store.mergeErrors(project.id, [merged, (await errorOf(store, project, 'joins')).id]);
  await store.addAliases(project.id, apart, [aliasFor(project, 'weak', { weak: true })], AT);
  const [{ groupHash }, { groupHash: mappedHash }] = [aliasFor(project, 'joins'), aliasFor(project, 'original')];
  await store.addContinuations(project.id, [{ groupHash, mappedHash }]);
  await store.markKnownThere(project.id, [hexId(`${project.id} joins 0`), hexId('never came')], AT);
  const payload = encodePayload(normalisedEvent(hexId('imported'), 'body that the tracker had'));
  const known = await store.knownThere(project.id, apart, AT);
  await store.setBase(project.id, apart, {
    ...counted(12, { knownThere: known, at: AT + 1 }),
    hours: [[(AT - 2 * HOUR) / 1000, 6]],
  });
  await store.addImportedEvents(project.id, apart, [{ eventId: hexId('imported'), at: AT - DAY, payload }], AT);
  await store.addNote(project.id, apart, userId, 'seen by a person', AT);
  await store.setErrorStatus(project.id, apart, 'ignored', AT, { details: { ignoreCount: 1000 } });
  await store.putNotes(project.id, apart, [{ externalId: 'n1', author: 'Bob', at: AT, text: 'seen in Lisbon' }]);
  await store.saveImportState(`${project.id}/run`, '{"stage":"errors"}');
  return { apart, merged };
}

async function fillAlerts(store: Store, project: Project, userId: number): Promise<void> {
  const given = { type: 'webhook', name: 'ops', host: 'hooks.test', sealed: 'sealed' } as const;
  const { id } = await store.createChannel({ projectId: project.id, ...given }, AT);
  await store.saveProjectAlerts(project.id, DEFAULT_ALERTS);
  await store.saveAlertPreferences(userId, DEFAULT_PREFERENCES);
  const destination = `channel:${id}` as const;
  await store.saveConversation(makeConversation(destination, { pending: makePending([project]) }));
  await store.saveDelivery(makeDelivery([project], { destination }));
  const arm = { ruleId: 1, errorId: '1', fired: 1, armed: false, belowSince: null };
  await store.saveThresholdArm({ projectId: project.id, ...arm });
  await collectAll(store);
}

async function fillBuilds(store: Store, project: Project): Promise<void> {
  const { id: projectId } = project;
  const release = 'app@1.2.3';
  const bundle = makeArtifact(project, { id: hexId(`bundle of ${projectId}`, 40) });
  const map = makeArtifactMap(bundle);
  await store.putFile(bundle.file, partsOf('what a build uploaded'));
  await store.putFile(map.file ?? '', partsOf('compact form of a map'));
  await store.putBundle(bundle, [map]);
  const pending = makePendingUpload(project);
  await store.putFile(pending.chunks[0] ?? '', partsOf('chunk that is not opened yet'));
  await store.putPendingUpload([pending]);
  await store.addProjectsOfToken(1, [projectId]);
  await store.saveBuildRelease(projectId, release, {}, AT);
  const commit = { commit: 'f00d', repository: null, authorName: 'Ada', authorEmail: null, message: 'fix', at: AT };
  await store.putCommits(projectId, release, [{ ...commit, files: ['src/cart.js'] }]);
  const deploy = { projectId, release, environment: 'staging', name: null, url: null, startedAt: null };
  await store.addDeploy({ ...deploy, finishedAt: AT });
}

async function fillLinks(store: Store, project: Project, errorId: string, userId: number): Promise<void> {
  await store.setProjectLinks(project.id, makeLinks());
  const issue = { url: 'https://git.test/issues/7', title: 'Shop is down' };
  await store.addLinkedIssue(project.id, errorId, issue, userId, AT);
  await store.setIssueHook({ projectId: project.id, sealed: 'sealed secret', createdAt: AT });
  const seen = { projectId: project.id, issue: 'ab'.repeat(16) };
  await store.moveSeenIssue(seen, null, { ...seen, state: 'closed', at: AT, delivery: 'one' });
  await store.saveView(project.id, userId, { name: 'Fatal', query: 'search=level%3Afatal', isDefault: true });
  await store.setFavourite(userId, project.id, true);
}
