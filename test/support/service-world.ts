import assert from 'node:assert/strict';
import type { SeedTarget } from './browser-seed.ts';
import { PagesService, sharedService, type ServiceOptions } from './browser-service.ts';
import type { StartedService } from './service-process.ts';

export interface SuiteOptions extends ServiceOptions {
  /**
   * True: starts a separate service for the suite; any other option implies it. Other suites of a process share one
   * service, each with a new demo project as the only project.
   */
  readonly ownService?: boolean;
}

/** Service of a suite. */
export interface ServiceWorld {
  readonly service: StartedService;
  readonly url: string;
  readonly target: SeedTarget;
  /** Path of the demo project's error list. The project has the same path in every suite, but another id. */
  readonly list: string;
  /** Creates a user with `PASSWORD`, optionally with a role in the demo project. */
  person(username: string, accessLevel?: number): Promise<void>;
  /** Calls the REST API as the administrator. */
  api(method: string, path: string, body?: object): Promise<unknown>;
  /** Stops the suite's own service. The returned function starts it again with the same data dir and port. */
  stop(): Promise<() => Promise<void>>;
}

async function givenService(options: SuiteOptions) {
  if (Object.keys(options).length > 0) {
    const service = await PagesService.start(options);
    return { service, first: service.process.first, own: true };
  }
  const service = await sharedService();
  return { service, first: await service.startAgain(), own: false };
}

/** Starts the service unless it is running. */
export async function openService(options: SuiteOptions) {
  const { service, first, own } = await givenService(options);
  const { url } = service;
  const world: ServiceWorld = {
    get service() {
      return { ...service.process, first };
    },
    url,
    target: { url, dsn: first.dsn },
    list: `/${first.project_path}/-/error_tracking`,
    async person(username, accessLevel) {
      await service.person(username);
      if (accessLevel === undefined) return;
      await service.api('POST', `/projects/${first.project_id}/members`, { username, access_level: accessLevel });
    },
    api: (method, path, body) => service.api(method, path, body),
    stop() {
      assert.ok(own, 'others need this service too: give the suite its own');
      return service.stop();
    },
  };
  return {
    service,
    world,
    /** Whether the service is of this suite alone. */
    own,
    /** Ends the service, unless other suites share it. */
    end: async (): Promise<void> => {
      if (own) await service.end();
    },
  };
}
