import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { createIntegratedBackend } from '../../src/integrated/backend.ts';
import { encodePayload } from '../support/encode-payload.ts';
import { exception, normalisedEvent } from '../support/factories.ts';
import { hexId, TestJournal } from '../support/store-data.ts';
import { rankAll } from '../support/rank-all.ts';
import { makeLocalSqlite } from '../support/store-harness.ts';
import { backendContract } from './backend.contract.ts';
import { messageOf, NOW, titleOf, type BackendHarness, type SeedError } from './backend-harness.ts';

function digested(project: Project, error: SeedError): DigestedEvent[] {
  const type = error.type === undefined ? 'ValueError' : error.type;
  const [message, level] = [messageOf(error), error.level ?? 'error'];
  return error.events.map(({ at, user, environment = null, release = null }, index) => {
    const eventId = hexId(`${project.id} ${error.name} ${index}`);
    return {
      projectId: project.id,
      keyId: 1,
      eventId,
      groupHash: hexId(`${project.id} ${error.name}`),
      groupingVersion: 1,
      at,
      receivedAt: at,
      type,
      message,
      title: titleOf(error),
      culprit: error.culprit ?? 'app.views in show',
      level,
      platform: 'python',
      release,
      environment,
      userHash: user === undefined ? null : hexId(user, 24),
      tags: [
        ['level', level],
        ...(environment === null ? [] : ([['environment', environment]] as const)),
        ...(release === null ? [] : ([['release', release]] as const)),
      ],
      payload: encodePayload(
        normalisedEvent(eventId, at, {
          level,
          release,
          environment,
          message: type === null ? message : null,
          exceptions: type === null ? [] : [exception({ type, value: message })],
        }),
      ),
    };
  });
}

backendContract('integrated, over SQLite', async (): Promise<BackendHarness> => {
  const sqlite = await makeLocalSqlite();
  const { store } = sqlite;
  const backend = createIntegratedBackend(store, { now: () => NOW });
  const make = (path: string) => store.createProject({ path, name: path, visibility: 'private' });
  const [foreign, project] = [await make('group/other'), await make('group/app')];
  const journal = new TestJournal(store);
  return {
    backend,
    integratedErrors: backend,
    project,
    foreign,
    frames: ['main:3', 'show:10'],
    async seed(target, errors) {
      // One batch each, so that later ones get greater ids.
      for (const error of errors) {
        await journal.apply(digested(target, error));
        if (error.status === undefined || error.status === 'unresolved') continue;
        const query = { status: 'all', search: null, sort: 'last_seen', environment: null, release: null } as const;
        const { items } = await store.listErrors(target.id, { ...query, level: null, limit: 100, cursor: null }, NOW);
        const found = items.find(({ title }) => title === titleOf(error));
        await store.setErrorStatus(target.id, found?.id ?? '', error.status, NOW);
      }
      await rankAll(store, NOW);
    },
    assertClean: () => undefined,
    dispose: () => sqlite.dispose(),
  };
});
