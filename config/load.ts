import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Util } from 'config/lib/util.js';
import { AppError } from '../src/domain/app-error.ts';
import { compileSchema, describeProblems } from '../src/schemas/compile.ts';
import { describeWrongValues } from './check-values.ts';
import { coerce } from './coerce.ts';
import { packageConfigDir, readConfigFiles } from './files.ts';
import { FILE_SUFFIX, readVariableFiles } from './variable-files.ts';
import { type Config, configSchema } from './schema.ts';

export interface LoadConfigOptions {
  /** Default: the environment of the process. This folder is its only reader. */
  readonly env?: NodeJS.ProcessEnv;
  /** Merged over files and environment; set by command lines and tests. */
  readonly overrides?: object;
}

/** Variables that commands read and that belong to no setting. */
const OTHER_VARIABLES = ['ERRGATE_CONFIG_DIR', 'ERRGATE_IMPORT_TOKEN'];
/** Prefix of variables for tests, which also reach the services that tests start. */
const TEST_PREFIX = 'ERRGATE_TEST_';

const validate = compileSchema<Config>(configSchema);

type VariableMap = { readonly [member: string]: string | VariableMap };

/** Maps each environment variable to its setting: `ERRGATE_PORT` to `server.port`. */
function knownVariables(): Map<string, string> {
  const file = join(packageConfigDir(), 'custom-environment-variables.json');
  const byPath = new Map<string, string>();
  const collect = (map: VariableMap, prefix: string): void => {
    for (const [name, value] of Object.entries(map)) {
      if (typeof value === 'string') byPath.set(prefix + name, value);
      else collect(value, `${prefix}${name}.`);
    }
  };
  collect(JSON.parse(readFileSync(file, 'utf8')) as VariableMap, '');
  return byPath;
}

/** Lists `ERRGATE_…` variables that no setting reads, because most of them are misspelt. */
function unknownVariables(env: NodeJS.ProcessEnv, known: Map<string, string>): string[] {
  const names = [...known.values()].flatMap((name) => [name, name + FILE_SUFFIX]).concat(OTHER_VARIABLES);
  return Object.keys(env)
    .filter((name) => name.startsWith('ERRGATE_') && !name.startsWith(TEST_PREFIX) && !names.includes(name))
    .map((name) => `${name} is no setting of errgate; docs/configuration.md lists them`);
}

/** Adds the variable to a problem, `server.port (ERRGATE_PORT) must be …`, when the variable set the value. */
function nameVariable(problem: string, env: NodeJS.ProcessEnv, known: Map<string, string>): string {
  const [path = ''] = problem.split(' ', 1);
  const variable = known.get(path);
  if (variable === undefined || (env[variable] ?? '') === '') return problem;
  return `${path} (${variable})${problem.slice(path.length)}`;
}

/**
 * Reads defaults, files of the operator and environment, in this order; later ones win. Throws `invalid_configuration`
 * with all problems. The result is frozen.
 */
export function loadConfig(options: LoadConfigOptions = {}): Config {
  const given = options.env ?? process.env;
  const known = knownVariables();
  const { env, problems: wrongFiles } = readVariableFiles(given, known.values());
  const operatorDir = env['ERRGATE_CONFIG_DIR'];
  const files = readConfigFiles(operatorDir === undefined || operatorDir === '' ? null : operatorDir, env);
  const merged: unknown = Util.extendDeep({}, files, options.overrides ?? {});
  const config = coerce(merged, configSchema);
  const valid = validate(config);
  const wrong = [...(valid ? [] : describeProblems(validate.errors, configSchema)), ...describeWrongValues(config)];
  const problems = [
    ...unknownVariables(given, known),
    ...wrongFiles,
    ...wrong.map((problem) => nameVariable(problem, env, known)),
  ];
  if (valid && problems.length === 0) return deepFreeze(config);
  const list = problems.map((problem) => `  - ${problem}`).join('\n');
  throw new AppError('invalid_configuration', `the configuration has problems:\n${list}`);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

const MASK = '********';

/** Options of a MongoDB address that hold secrets. */
const SECRET_OPTIONS = /([?&](?:tlsCertificateKeyFilePassword|authMechanismProperties|proxyPassword)=)[^&]*/gi;

function maskedUrl(url: string): string {
  return url.replace(/\/\/[^@/]*@/, `//${MASK}@`).replace(SECRET_OPTIONS, `$1${MASK}`);
}

/** Returns the effective configuration with secrets masked. */
export function maskedConfig(config: Config): object {
  return {
    ...config,
    secretKey: config.secretKey === null ? null : MASK,
    secretKeyPrevious: config.secretKeyPrevious === null ? null : MASK,
    selfMonitoring: { dsn: config.selfMonitoring.dsn === null ? null : MASK },
    oidc: { ...config.oidc, clientSecret: config.oidc.clientSecret === null ? null : MASK },
    metrics: { token: config.metrics.token === null ? null : MASK },
    store: { ...config.store, url: maskedUrl(config.store.url) },
    mail: { ...config.mail, url: config.mail.url === null ? null : maskedUrl(config.mail.url) },
  };
}
