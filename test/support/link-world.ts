import assert from 'node:assert/strict';
import type { Project } from '../../src/domain/projects/project.ts';
import { startApp, type Answer, type RunningApp } from './app.ts';
import { givenEvents, givenMember, givenTrackedProject, type Person } from './factories.ts';
import { startGitlab } from './fake-hosts/gitlab-host.ts';
import type { FakeIssueHost } from './fake-hosts/issue-host.ts';
import type { StoreKind } from './test-stores.ts';

export const TOKEN = 'glpat-very-secret-token';
export const LINK = { kind: 'link', new_issue_url: 'https://bugs.example.test/new?title={title}&text={description}' };
export const NO_LINKS = { repository: null, issue_tracker: null };

/** A project with an error, people of three roles, and hosts that are closed after each test. */
export class LinkWorld {
  readonly app: RunningApp;
  readonly project: Project;
  readonly people: Readonly<Record<'maintainer' | 'developer' | 'reporter', Person>>;
  readonly base: string;
  readonly errorId: string;
  readonly #hosts: FakeIssueHost[] = [];

  private constructor(app: RunningApp, project: Project, people: LinkWorld['people'], base: string, errorId: string) {
    this.app = app;
    this.project = project;
    this.people = people;
    this.base = base;
    this.errorId = errorId;
  }

  static async open(app: RunningApp): Promise<LinkWorld> {
    const project = await givenTrackedProject(app.store);
    const people = {
      maintainer: await givenMember(app.store, project, 'maintainer'),
      developer: await givenMember(app.store, project, 'developer'),
      reporter: await givenMember(app.store, project, 'reporter'),
    };
    const base = `/api/v4/projects/${project.id}/error_tracking`;
    await givenEvents(app.store, project, [{ at: app.clock.at }]);
    const [error] = (await app.get(`${base}/errors`, people.reporter.token)).json() as [{ id: string }];
    return new LinkWorld(app, project, people, base, error.id);
  }

  close(): void {
    for (const host of this.#hosts.splice(0)) host.close();
  }

  async host(starting: Promise<FakeIssueHost>): Promise<FakeIssueHost> {
    const started = await starting;
    this.#hosts.push(started);
    return started;
  }

  gitlab(options: Partial<Parameters<typeof startGitlab>[0]> = {}): Promise<FakeIssueHost> {
    return this.host(startGitlab({ token: TOKEN, project: 'group/sub/shop', ...options }));
  }

  put(body: object, { token } = this.people.maintainer): Promise<Answer> {
    return this.app.ask('PUT', `${this.base}/links`, { token, body });
  }

  test(body: object, { token } = this.people.maintainer): Promise<Answer> {
    return this.app.ask('POST', `${this.base}/links/test`, { token, body });
  }

  async links(): Promise<unknown> {
    return (await this.app.get(`${this.base}/links`, this.people.reporter.token)).json();
  }

  issues(method: string, path = '', body?: object, { token } = this.people.developer): Promise<Answer> {
    const address = `${this.base}/errors/${this.errorId}/issues${path}`;
    return this.app.ask(method, address, { token, ...(body === undefined ? {} : { body }) });
  }

  create(body: object = {}): Promise<Answer> {
    return this.issues('POST', '', { create: true, title: 'It fails', description: '**Why**', ...body });
  }

  async tracked(tracker: object): Promise<void> {
    const saved = await this.put({ repository: null, issue_tracker: tracker });
    assert.equal(saved.status, 200, saved.text);
  }
}

/** Issue tracker on a host, as it is set. */
export function trackerOf({ url }: { url: string }, given: object = {}) {
  return { ...{ kind: 'gitlab', api_url: url, project: 'group/sub/shop', token: TOKEN }, ...given };
}

/** Returns why a request was refused; requires the status, and that the token is not in the answer. */
export async function refusal(asked: Promise<Answer>, status: number): Promise<string> {
  const answer = await asked;
  assert.equal(answer.status, status, answer.text);
  assert.ok(!answer.text.includes(TOKEN), answer.text);
  const { message, error } = answer.json() as { message?: string; error?: string };
  return message ?? error ?? '';
}

/** Starts the application, and a world for each test. */
export function linkWorlds(kind: StoreKind): () => LinkWorld {
  let app: RunningApp;
  let world: LinkWorld;
  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    world = await LinkWorld.open(app);
  });
  afterEach(() => world.close());
  return () => world;
}
