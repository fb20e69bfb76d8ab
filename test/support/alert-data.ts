import type { NewChannel } from '../../src/domain/alerts/alert-channel.ts';
import type { Conversation, Delivery, Destination, PendingMessage } from '../../src/domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../../src/domain/alerts/alert-message.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { makeProject, NOON } from './store-data.ts';

let made = 0;

/** Makes a message with a part for each project. */
export function makeMessage(projects: readonly Pick<Project, 'id' | 'path' | 'name'>[]): AlertMessage {
  made += 1;
  return {
    id: `msg_${String(made).padStart(26, '0')}`,
    kind: projects.length === 0 ? 'heartbeat' : 'facts',
    createdAt: NOON,
    since: NOON - 1,
    until: NOON,
    parts: projects.map(({ id, path, name }) => ({
      project: { id, path, name },
      counts: { new: 1, regressed: 0, escalated: 0, unmuted: 0 },
      release: '1.0',
      errors: [],
      url: `https://errgate.test/${path}/errors`,
    })),
    note: '',
  };
}

export function makePending(
  projects: Parameters<typeof makeMessage>[0],
  given: Partial<PendingMessage> = {},
): PendingMessage {
  return { message: makeMessage(projects), facts: [[1, 2]], attempts: 0, nextAt: NOON, lastAnswer: null, ...given };
}

/** Makes the first version of a conversation. */
export function makeConversation(destination: Destination, given: Partial<Conversation> = {}): Conversation {
  return {
    ...{ destination, version: 1, level: 0, lastSentAt: null, number: 0, cursor: 0 },
    ...{ firstWaiting: null, lastWaiting: null, notBefore: null, pending: null },
    ...{ heartbeatAt: null, failingSince: null, troubleTo: null, ...given },
  };
}

export function makeDelivery(
  projects: Parameters<typeof makeMessage>[0],
  given: Partial<Omit<Delivery, 'id' | 'projectIds' | 'message'>> = {},
): Delivery {
  const message = makeMessage(projects);
  return {
    ...{ id: message.id, destination: 'channel:1', name: 'ops', projectIds: projects.map(({ id }) => id) },
    ...{ facts: [[1, 2]], message, state: 'sent', attempts: 1, answer: '200', at: NOON, ...given },
  };
}

/** Makes a project, what its channels are made of, and people. */
export async function alertSetUp(store: Store) {
  const project = await makeProject(store);
  const channel: NewChannel = { projectId: project.id, type: 'slack', name: 'ops', host: 'hooks.test', sealed: 's1' };
  const makePerson = async () => {
    made += 1;
    const username = `alerted${made}`;
    return (await store.createUser({ username, name: username, admin: false, passwordHash: 'x' })).id;
  };
  return { store, project, channel, makePerson };
}
