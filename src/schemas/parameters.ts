import { compileCheck, expectedAt, type SchemaProblem } from './compile.ts';

interface ParameterBase {
  readonly description: string;
  /** Reports an absent value as missing and as empty: `active is missing, active is empty`. */
  readonly 'x-not-blank'?: boolean;
  /** Name in messages that pages show to users. Default: the parameter name. */
  readonly 'x-label'?: string;
  /** Secret parameter, allowed only in bodies and headers. */
  readonly 'x-secret'?: true;
}

export interface BooleanParameter extends ParameterBase {
  readonly type: 'boolean';
}

export interface IntegerParameter extends ParameterBase {
  /** With `null` a blank value is valid and clears the setting; an absent one changes nothing. */
  readonly type: 'integer' | readonly ['integer', 'null'];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface StringParameter extends ParameterBase {
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly format?: 'date-time';
  readonly default?: string;
}

/** List of words, as JSON array or separated by commas. */
export interface ListParameter extends ParameterBase {
  readonly type: 'array';
  readonly items: {
    readonly type: 'string';
    readonly enum?: readonly string[];
    /** Maximum characters of one word. */
    readonly maxLength?: number;
    readonly pattern?: string;
    /** Pattern in words. */
    readonly 'x-expected'?: string;
  };
  readonly maxItems?: number;
}

/** Parameters of a route except those in its path; also the schema for its documentation. */
export interface ParametersSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, BooleanParameter | IntegerParameter | ListParameter | StringParameter>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export type ParametersResult<T> =
  | { readonly ok: true; readonly value: T }
  /** One sentence per problem, in the order of declaration. */
  | { readonly ok: false; readonly problems: readonly string[] };

const TRUE_WORDS = new Set(['1', 'on', 'On', 'ON', 't', 'T', 'true', 'True', 'TRUE', 'y', 'Y', 'yes', 'Yes', 'YES']);
const FALSE_WORDS = new Set([
  '0',
  'off',
  'Off',
  'OFF',
  'f',
  'F',
  'false',
  'False',
  'FALSE',
  'n',
  'N',
  'no',
  'No',
  'NO',
]);

/** Result of a failed conversion; never a valid value. */
const INVALID = Symbol('invalid');

function toBoolean(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return INVALID;
  const word = String(value);
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : INVALID;
}

function toInteger(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return INVALID;
  if (!/^[+-]?\d{1,16}$/.test(String(value))) return INVALID;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : INVALID;
}

function toText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // NUL is refused, because it ends a text in several lower layers.
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed() ? value : INVALID;
}

function toList(value: unknown): unknown {
  const words: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(',')
      : [INVALID];
  return words.every((word) => typeof word === 'string') ? [...new Set(words.map((word) => word.trim()))] : INVALID;
}

const COERCIONS = { array: toList, boolean: toBoolean, integer: toInteger, string: toText } as const;

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function kindOf({ type }: ParametersSchema['properties'][string]): keyof typeof COERCIONS {
  return typeof type === 'string' ? type : type[0];
}

function describe(label: string, problem: SchemaProblem, schema: object): string {
  const params = problem.params as Record<string, unknown>;
  const isEntry = problem.instancePath.split('/').length > 2;
  const name = isEntry ? `an entry of ${label}` : label;
  switch (problem.keyword) {
    case 'enum':
      // Texts of the host, for lists too.
      return `${label} does not have a valid value: use one of ${(params.allowedValues as string[]).join(' | ')}`;
    case 'minimum':
      return `${name} must be at least ${String(params.limit)}`;
    case 'maximum':
      return `${name} must be at most ${String(params.limit)}`;
    case 'maxLength':
      return `${name} is too long (maximum is ${String(params.limit)} characters)`;
    case 'maxItems':
      return `${name} has too many entries (maximum is ${String(params.limit)})`;
    case 'pattern':
      return `${name} must be ${expectedAt(schema, problem.schemaPath ?? '') ?? 'valid'}`;
    default:
      return `${name} is invalid`;
  }
}

/**
 * Compiles a reader of parameters from queries, forms and JSON bodies. It converts words to booleans and numbers,
 * treats blank optional values as absent, applies defaults and ignores unknown members.
 */
export function compileParameters<T>(
  schema: ParametersSchema,
): (given: Readonly<Record<string, unknown>>) => ParametersResult<T> {
  const check = compileCheck(schema);
  const required = new Set(schema.required ?? []);
  const labelOf = (name: string): string => schema.properties[name]?.['x-label'] ?? name;

  function absence(name: string, value: unknown): string[] {
    if (value !== undefined) return [`${name} is empty`];
    const notBlank = schema.properties[name]?.['x-not-blank'] === true;
    return notBlank ? [`${name} is missing`, `${name} is empty`] : [`${name} is missing`];
  }

  return (given) => {
    const read: Record<string, unknown> = {};
    const problems = new Map<string, string[]>();
    for (const [name, property] of Object.entries(schema.properties)) {
      const value = given[name];
      if (isBlank(value)) {
        if (typeof property.type !== 'string' && value !== undefined) read[name] = null;
        else if ('default' in property) read[name] = property.default;
        else if (required.has(name)) problems.set(name, absence(name, value));
        continue;
      }
      const coerced = COERCIONS[kindOf(property)](value);
      if (coerced === INVALID) problems.set(name, [`${labelOf(name)} is invalid`]);
      else read[name] = coerced;
    }
    for (const problem of check(read)) {
      const [name = ''] = problem.instancePath.slice(1).split('/');
      if (name !== '' && !problems.has(name)) problems.set(name, [describe(labelOf(name), problem, schema)]);
    }
    if (problems.size === 0) return { ok: true, value: read as T };
    const inOrder = Object.keys(schema.properties).flatMap((name) => problems.get(name) ?? []);
    return { ok: false, problems: inOrder };
  };
}
