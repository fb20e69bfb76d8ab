import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Load } from 'config/lib/util.js';
import { AppError } from '../src/domain/app-error.ts';

/** Loader of the library that reads the given environment variables instead of those of the process. */
class EnvironmentLoad extends Load {
  readonly #variables: Record<string, string>;

  constructor(configDir: string, variables: Record<string, string>) {
    super({ configDir, nodeEnv: ['production'], hostName: 'localhost', appInstance: '' });
    this.#variables = variables;
  }

  override loadCustomEnvVars(): object {
    for (const dir of this.options.configDir?.split(delimiter) ?? []) {
      const file = join(dir, 'custom-environment-variables.json');
      if (existsSync(file)) this.loadFile(file, (map: object) => this.substituteDeep(map, this.#variables) as object);
    }
    return this.config;
  }
}

/** Path of the package's own `config/`, from the sources as well as from `dist/config/`. */
export function packageConfigDir(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const found = [here, resolve(here, '../../config')].find((dir) => existsSync(join(dir, 'default.json')));
  if (found === undefined) {
    throw new AppError('invalid_configuration', 'the package has lost its config/default.json; install it again');
  }
  return found;
}

/**
 * Reads the defaults of the package, then `default`, `production` and `local` files of the operator's folder. Variables
 * named in custom-environment-variables.json come last. Files may have any format that the library reads.
 */
export function readConfigFiles(operatorDir: string | null, env: NodeJS.ProcessEnv): object {
  const own = packageConfigDir();
  if (operatorDir !== null && !existsSync(operatorDir)) {
    throw new AppError('invalid_configuration', `ERRGATE_CONFIG_DIR names ${operatorDir}, which does not exist`);
  }
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // An empty variable counts as unset, because an unset line in a service file produces one.
    if (value !== undefined && value !== '') variables[name] = value;
  }
  const dirs = operatorDir === null ? own : [own, resolve(operatorDir)].join(delimiter);
  try {
    return new EnvironmentLoad(dirs, variables).scan();
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : 'unreadable';
    throw new AppError('invalid_configuration', `a configuration file cannot be read: ${what}`, { cause });
  }
}
