import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceHere } from './service-here.ts';
import { type FirstStart, type StartedService, startServiceProcess } from './service-process.ts';

export interface DrillGatewayOptions {
  /** Gateway that created the shared store; its project and key are used. */
  readonly first?: DrillGateway;
  /** Folder of another program. */
  readonly root?: string;
  /** True: runs inside this process, which starts in a fifth of the processor time. It cannot be killed. */
  readonly here?: boolean;
}

type UpOptions = Pick<DrillGatewayOptions, 'here'> & {
  readonly root?: string | null;
  /** Variables of this start alone. */
  readonly env?: NodeJS.ProcessEnv;
};

/** Service that keeps its data dir over restarts, like one of several gateways behind a load balancer. */
export class DrillGateway {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'errgate-drill-'));
  /** Environment of the gateway, and of commands beside it. */
  readonly env: NodeJS.ProcessEnv;
  #shared: FirstStart | undefined;
  #service: StartedService | null = null;
  #isHere = false;

  readonly #options: DrillGatewayOptions;

  private constructor(env: NodeJS.ProcessEnv, options: DrillGatewayOptions) {
    this.env = env;
    this.#options = options;
    this.#shared = options.first?.service.first;
  }

  static async start(env: NodeJS.ProcessEnv, options: DrillGatewayOptions = {}): Promise<DrillGateway> {
    // No limit of events per error: drills check each event, and long ones exceed the default.
    const gateway = new DrillGateway({ ERRGATE_MAX_EVENTS_PER_ERROR: '0', ...env }, options);
    await gateway.up();
    return gateway;
  }

  /** Running service. Throws while it is down. */
  get service(): StartedService {
    assert.ok(this.#service !== null, 'the gateway is down');
    return this.#service;
  }

  /** Address for events; null while the gateway is down. */
  readonly target = (): string | null => {
    if (this.#service === null) return null;
    const { url, first } = this.#service;
    return `${url}/api/${first.project_id}/store/?sentry_key=${new URL(first.dsn).username}`;
  };

  /** `here`, `root`: as in the options, whose values are the defaults. `root: null`: this checkout. */
  async up({ here = this.#options.here ?? false, root: folder, env: more }: UpOptions = {}): Promise<void> {
    const env = { ...this.env, ...more };
    const root = folder === undefined ? this.#options.root : (folder ?? undefined);
    this.#isHere = here;
    this.#service = here
      ? await startServiceHere(this.dataDir, env, this.#shared)
      : await startServiceProcess(this.dataDir, env, this.#shared, root);
    this.#shared ??= this.#service.first;
  }

  /** Ends the process with a signal and returns its exit code. */
  async down(signal: NodeJS.Signals): Promise<number | null> {
    const { service } = this;
    assert.ok(signal === 'SIGTERM' || !this.#isHere, `a gateway inside this process takes no ${signal}`);
    this.#service = null;
    return service.end(signal);
  }

  /** Ends the service if it is running, with a kill where it can be, and removes the data dir. */
  async remove(): Promise<void> {
    await this.#service?.end('SIGKILL');
    this.#service = null;
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
