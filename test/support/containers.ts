import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const BASE_IMAGE = 'docker.io/library/node:24-bookworm-slim';
/** User of the image. */
export const IMAGE_USER = 10_001;

/** Options of a careful operator. The engine of the tests has no networks of its own, and bounds that it may set. */
const CAREFUL = [
  ...['--runtime', 'runc', 'run', '--network=host', '--read-only', '--cap-drop=all'],
  ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000'],
];

/** Returns why no image can be built and run here; null: it can. */
export function lackingContainers(): string | null {
  const lacking = ['buildah', 'podman', 'runc'].find((program) => spawnSync(program, ['--version']).status !== 0);
  if (lacking !== undefined) return `${lacking} is missing`;
  const hasBase = spawnSync('buildah', ['inspect', '--type', 'image', BASE_IMAGE]).status === 0;
  return hasBase ? null : `the image ${BASE_IMAGE} is missing: pull it with "buildah pull ${BASE_IMAGE}"`;
}

/** Builds the image of a folder, with the steps that an earlier build has in common. */
export async function buildImage(folder: string, name: string, args: Readonly<Record<string, string>>): Promise<void> {
  const options = ['--isolation', 'chroot', '--pull-never', '--network=host', '--format', 'docker', '--layers'];
  const given = Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]);
  await run('buildah', ['bud', ...options, ...given, '-t', name, folder], { maxBuffer: 1e8 });
}

/** What an image says about itself. */
export interface ImageConfig {
  readonly User: string;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export async function imageConfig(image: string): Promise<ImageConfig> {
  const { stdout } = await run('buildah', ['inspect', '--type', 'image', image], { maxBuffer: 1e8 });
  return (JSON.parse(stdout) as { Docker: { config: ImageConfig } }).Docker.config;
}

export async function imageBytes(image: string): Promise<number> {
  const { stdout } = await run('podman', ['image', 'inspect', '--format', '{{.Size}}', image]);
  return Number(stdout);
}

/** Runs a program in a new container until it ends, and returns what it printed. */
export async function runInImage(image: string, program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('podman', [...CAREFUL, '--rm', '--entrypoint', program, image, ...args]);
  return stdout;
}

/** Containers of one test. */
export class Containers {
  readonly #started: string[] = [];

  /** Starts a container without waiting for its program; returns its id. */
  async start(image: string, options: readonly string[]): Promise<string> {
    const { stdout } = await run('podman', [...CAREFUL, '-d', ...options, image]);
    const id = stdout.trim();
    this.#started.push(id);
    return id;
  }

  /** Asks a container to end as Docker and Kubernetes do; returns its exit code. */
  async stop(id: string): Promise<number> {
    await run('podman', ['stop', '-t', '10', id]);
    return this.exitCode(id);
  }

  async kill(id: string): Promise<number> {
    await run('podman', ['kill', '-s', 'KILL', id]);
    return this.exitCode(id);
  }

  /** Waits for the end of a container. */
  async exitCode(id: string): Promise<number> {
    const { stdout } = await run('podman', ['wait', id]);
    return Number(stdout);
  }

  /** Runs a program in a container; returns its exit code. */
  execute(id: string, ...program: readonly string[]): number | null {
    return spawnSync('podman', ['exec', id, ...program]).status;
  }

  async log(id: string): Promise<string> {
    const { stdout, stderr } = await run('podman', ['logs', id]);
    return stdout + stderr;
  }

  async remove(): Promise<void> {
    for (const id of this.#started.splice(0)) await run('podman', ['rm', '-f', '-t', '0', id]);
  }
}
