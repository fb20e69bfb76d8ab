import { type ChildProcess, spawn } from 'node:child_process';
import { programEnv } from './program-env.ts';

/** Child process that runs `serve` or other arguments; records its output and exit. */
export class ServiceChild {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;
  readonly #watchers = new Set<() => void>();

  constructor(env: NodeJS.ProcessEnv, args: readonly string[] = ['bin/errgate.js', 'serve'], cwd = process.cwd()) {
    this.child = spawn(process.execPath, args, {
      cwd,
      env: programEnv({ ERRGATE_LOG_LEVEL: 'info', ERRGATE_LOG_FORMAT: 'json', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
      this.#look();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
      this.#look();
    });
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code) => {
        resolve(code);
        this.#look();
      });
    });
  }

  /** Waits for the first match in the output; throws when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(`${this.stdout}\n${this.stderr}`);
        if (match === null && this.child.exitCode === null && this.child.signalCode === null) return;
        this.#watchers.delete(look);
        if (match === null) reject(new Error(`ended without ${String(pattern)}:\n${this.stdout}${this.stderr}`));
        else resolve(match);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Waits until the service is ready and returns its address. */
  async url(): Promise<string> {
    const [, url] = await this.printed(/is ready on (\S+)/);
    return url ?? '';
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.ended;
  }

  #look(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

export function spawnService(env: NodeJS.ProcessEnv): ServiceChild {
  return new ServiceChild(env);
}
