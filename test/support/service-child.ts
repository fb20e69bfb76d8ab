import { type ChildProcess, spawn } from 'node:child_process';

/** A `serve` process, or another one by `args`, watched from outside: what it prints, and how it ends. */
export class ServiceChild {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;
  readonly #watchers = new Set<() => void>();

  constructor(env: NodeJS.ProcessEnv, args: readonly string[] = ['bin/errgate.js', 'serve'], cwd = process.cwd()) {
    this.child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ERRGATE_LOG_LEVEL: 'info', ERRGATE_LOG_FORMAT: 'json', ...env },
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

  /** The first match in what was printed, as soon as it is there; throws when the process ends without it. */
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

  /** Its address, once it is ready. */
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
