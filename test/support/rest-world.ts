import type { AccessLevelName } from '../../src/domain/projects/account.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from './app.ts';
import { givenMember, givenTrackedProject, type Person } from './factories.ts';
import type { StoreKind } from './test-stores.ts';

/** What requests of a test need. */
interface RestWorld {
  /** Serves all tests of the suite. */
  readonly app: RunningApp;
  /** Project of the test. */
  readonly project: Project;
  readonly member: Person;
  /** Path of the project's resources. */
  readonly base: string;
  /** Time when the test began. */
  readonly now: number;
}

/** Adds hooks that start the service, and make a project with a member for each test. */
export function restWorld(kind: StoreKind, role: AccessLevelName): RestWorld {
  const world = {} as { -readonly [Name in keyof RestWorld]: RestWorld[Name] };
  before(async () => {
    world.app = await startApp(kind);
  });
  after(() => world.app.close());
  beforeEach(async () => {
    const { store, clock } = world.app;
    world.now = clock.at;
    world.project = await givenTrackedProject(store);
    world.member = await givenMember(store, world.project, role);
    world.base = `/api/v4/projects/${world.project.id}/error_tracking`;
  });
  return world;
}
