import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FirstStart, type ServiceProcess, startServiceProcess } from './service-process.ts';

/** A service process that keeps its data dir over restarts, as a machine of several behind a load balancer. */
export class DrillGateway {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'errgate-drill-'));
  /** What it, and commands beside it, have in their environment. */
  readonly env: NodeJS.ProcessEnv;
  #shared: FirstStart | undefined;
  #service: ServiceProcess | null = null;

  private constructor(env: NodeJS.ProcessEnv, shared: FirstStart | undefined) {
    this.env = env;
    this.#shared = shared;
  }

  /** `first`: the gateway that set the shared store up; its project and key are used. */
  static async start(env: NodeJS.ProcessEnv, first?: DrillGateway): Promise<DrillGateway> {
    // Every event is looked for one by one, and long drills make more than are kept of one error.
    const gateway = new DrillGateway({ ERRGATE_MAX_EVENTS_PER_ERROR: '0', ...env }, first?.service.first);
    await gateway.up();
    return gateway;
  }

  /** The running process. Throws while it is down. */
  get service(): ServiceProcess {
    assert.ok(this.#service !== null, 'the gateway is down');
    return this.#service;
  }

  /** Where its events go; null while it is down. */
  readonly target = (): string | null => {
    if (this.#service === null) return null;
    const { url, first } = this.#service;
    return `${url}/api/${first.project_id}/store/?sentry_key=${new URL(first.dsn).username}`;
  };

  async up(): Promise<void> {
    this.#service = await startServiceProcess(this.dataDir, this.env, this.#shared);
    this.#shared ??= this.#service.first;
  }

  /** Ends the process, and says with which code. */
  async down(signal: NodeJS.Signals): Promise<number | null> {
    const { service } = this;
    this.#service = null;
    return service.end(signal);
  }

  /** Ends it in order, if it runs, and removes the data dir. */
  async remove(): Promise<void> {
    await this.#service?.end('SIGKILL');
    this.#service = null;
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
