import assert from 'node:assert/strict';
import type { Project } from '../../src/domain/projects/project.ts';
import { startApp, type Answer, type RunningApp } from './app.ts';
import { givenMember, givenProject, type Person } from './factories.ts';
import type { StoreKind } from './test-stores.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
/** External address of the service. */
export const EXTERNAL = 'https://errors.example.test';

/** Service of a suite, with a project of the test and people who may invite to it. */
export interface InvitationWorld {
  readonly app: RunningApp;
  readonly project: Project;
  readonly owner: Person;
  readonly maintainer: Person;
  /** Address that no other test uses. */
  newEmail(): string;
  /** Sends a request to the invitations of the project. */
  as(person: Person, method: string, path?: string, body?: object): Promise<Answer>;
  /** Sends a request to the routes of links. */
  open(path: string, body: object, person?: Person): Promise<Answer>;
  /** Invites an address; returns the token of its link. Default: a developer, by the maintainer. */
  invited(email: string, level?: number, by?: Person): Promise<string>;
  stateOf(token: string): Promise<string>;
  levelOf(person: Person): Promise<number | null>;
}

/** Returns the token of a link. */
export function tokenOf(url: string): string {
  const prefix = `${EXTERNAL}/-/invitations/`;
  assert.ok(url.startsWith(prefix));
  return url.slice(prefix.length);
}

/** Adds hooks that start the service, and make a project with an owner and a maintainer for each test. */
export function invitationWorld(kind: StoreKind): InvitationWorld {
  let serial = 0;
  const world: { -readonly [Name in keyof InvitationWorld]: InvitationWorld[Name] } = {
    ...({} as Pick<InvitationWorld, 'app' | 'project' | 'owner' | 'maintainer'>),
    newEmail() {
      serial += 1;
      return `grace${serial}@shop.test`;
    },
    as: (person, method, path = '', body) =>
      world.app.ask(method, `/api/v4/projects/${world.project.id}/invitations${path}`, {
        token: person.token,
        ...(body === undefined ? {} : { body }),
      }),
    open: (path, body, person) =>
      world.app.ask('POST', `/-/invitation${path}`, {
        body,
        ...(person === undefined ? {} : { token: person.token }),
      }),
    async invited(email, level = 30, by = world.maintainer) {
      const answer = await world.as(by, 'POST', '', { email, access_level: level });
      assert.deepEqual([answer.status, answer.json().status], [201, 'success'], answer.text);
      return tokenOf(answer.json().links[0].url);
    },
    stateOf: async (token) => (await world.open('', { token })).json().state,
    levelOf: ({ user }) => world.app.store.accessLevel(world.project.id, user.id),
  };
  before(async () => {
    world.app = await startApp(kind);
  });
  after(() => world.app.close());
  beforeEach(async () => {
    world.app.clock.at = NOW;
    world.project = await givenProject(world.app.store);
    world.owner = await givenMember(world.app.store, world.project, 'owner');
    world.maintainer = await givenMember(world.app.store, world.project, 'maintainer');
  });
  return world;
}
