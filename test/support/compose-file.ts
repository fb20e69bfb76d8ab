import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';
import { readRoot } from './doc-pages.ts';

/** Service of `compose.yaml`, as far as tests read it. */
export interface ComposeService {
  readonly profiles: readonly string[];
  readonly image: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly { readonly host_ip: string; readonly published: string; readonly target: number }[];
  readonly command?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
}

/** Fills `${NAME:-default}` and `$$` in as Compose does. */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  // Defaults may hold variables: the innermost are filled in first.
  const filled = text.replace(/(?<!\$)\$\{(\w+):-([^${}]*)\}/g, (_, name: string, or: string) => env[name] || or);
  return filled === text ? text.replaceAll('$$', '$') : interpolate(filled, env);
}

/** Reads `compose.yaml` as Compose does with these variables. */
export function readComposeFile(env: Readonly<Record<string, string>> = {}): ComposeFile {
  return parse(interpolate(readRoot('compose.yaml'), env), { merge: true }) as ComposeFile;
}

/** Services of a profile, by name. */
export function servicesOf({ services }: ComposeFile, profile: string): Map<string, ComposeService> {
  return new Map(Object.entries(services).filter(([, { profiles }]) => profiles.includes(profile)));
}

/** Volume, or file of the repository, that a service has at a path; null when it has none. */
export function volumeAt({ volumes = [] }: ComposeService, path: string): string | null {
  return volumes.find((volume) => volume.split(':')[1] === path)?.split(':')[0] ?? null;
}

/**
 * Runs the program of the service `secrets` on a folder in place of its volume. `before`: lines of bash before it.
 * Throws with its output when it fails.
 */
export function makeComposeSecrets({ services }: ComposeFile, folder: string, before = ''): void {
  const [script = ''] = services['secrets']?.command ?? [];
  const here = `${before}\n${script.replaceAll('/secrets', folder)}`;
  const { status, stderr } = spawnSync('bash', ['--norc', '-euc', here], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0 || stderr !== '') throw new Error(`the secrets could not be made: ${stderr}`);
}
