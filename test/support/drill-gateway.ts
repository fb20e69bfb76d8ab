import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FirstStart, type ServiceProcess, startServiceProcess } from './service-process.ts';

/** Service process that keeps its data dir over restarts, like one of several gateways behind a load balancer. */
export class DrillGateway {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'errgate-drill-'));
  /** Environment of the gateway, and of commands beside it. */
  readonly env: NodeJS.ProcessEnv;
  #shared: FirstStart | undefined;
  #service: ServiceProcess | null = null;

  /** Folder of its program; undefined: this checkout. */
  readonly #root: string | undefined;

  private constructor(env: NodeJS.ProcessEnv, shared: FirstStart | undefined, root: string | undefined) {
    this.#root = root;
    this.env = env;
    this.#shared = shared;
  }

  /**
   * Starts a gateway. `first`: gateway that created the shared store; its project and key are used. `root`: folder of
   * another program.
   */
  static async start(env: NodeJS.ProcessEnv, first?: DrillGateway, root?: string): Promise<DrillGateway> {
    // No limit of events per error: drills check each event, and long ones exceed the default.
    const gateway = new DrillGateway({ ERRGATE_MAX_EVENTS_PER_ERROR: '0', ...env }, first?.service.first, root);
    await gateway.up();
    return gateway;
  }

  /** Running process. Throws while it is down. */
  get service(): ServiceProcess {
    assert.ok(this.#service !== null, 'the gateway is down');
    return this.#service;
  }

  /** Address for events; null while the gateway is down. */
  readonly target = (): string | null => {
    if (this.#service === null) return null;
    const { url, first } = this.#service;
    return `${url}/api/${first.project_id}/store/?sentry_key=${new URL(first.dsn).username}`;
  };

  async up(): Promise<void> {
    this.#service = await startServiceProcess(this.dataDir, this.env, this.#shared, this.#root);
    this.#shared ??= this.#service.first;
  }

  /** Ends the process with a signal and returns its exit code. */
  async down(signal: NodeJS.Signals): Promise<number | null> {
    const { service } = this;
    this.#service = null;
    return service.end(signal);
  }

  /** Kills the process if it is running, and removes the data dir. */
  async remove(): Promise<void> {
    await this.#service?.end('SIGKILL');
    this.#service = null;
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
