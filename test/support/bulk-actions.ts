import assert from 'node:assert/strict';
import type { Project } from '../../src/domain/projects/project.ts';
import type { RunningApp } from './app.ts';
import { givenEvents, type Person } from './factories.ts';

const HOUR = 3_600_000;

export interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly status_details: object;
  readonly assignee: { readonly id: number } | null;
}

interface World {
  readonly app: RunningApp;
  readonly project: Project;
  /** Person that asks by default. */
  readonly developer: Person;
  /** Address of the project's error tracking. */
  readonly base: string;
}

/** Seeds errors `e0`, `e1`, …, changes them in bulk over REST, and reads what became of them. */
export function bulkActions(world: () => World) {
  const seed = (count: number) => {
    const { app, project } = world();
    const events = Array.from({ length: count }, (_, n) => ({
      at: app.clock.at - HOUR + n,
      group: `g${n}`,
      title: `e${n}`,
    }));
    return givenEvents(app.store, project, events);
  };
  const bulk = (body: object, { token } = world().developer) =>
    world().app.ask('POST', `${world().base}/errors/bulk`, { token, body });
  /** Requires that the action is answered 200; returns the body. */
  const done = async (body: object, person = world().developer) => {
    const answer = await bulk(body, person);
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };
  const listed = async (query = 'status=all&sort=first_seen'): Promise<ListedError[]> => {
    const { app, base, developer } = world();
    return (await app.get(`${base}/errors?per_page=100&${query}`, developer.token)).json();
  };
  const idsOf = async (...titles: string[]) =>
    (await listed()).filter(({ title }) => titles.includes(title)).map(({ id }) => id);
  /** Status, details and assignee by title. */
  const states = async () =>
    Object.fromEntries(
      (await listed()).map((error) => [error.title, [error.status, error.status_details, error.assignee?.id ?? null]]),
    );
  return { seed, bulk, done, listed, idsOf, states };
}
