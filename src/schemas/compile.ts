import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** RFC 3339 with an offset; checks format and calendar. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The only Ajv instance, for the dialect of OpenAPI 3.1 (JSON Schema 2020-12). Callers coerce values; all problems are
 * reported. Code optimisation is off, because it takes longer than it saves.
 */
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  code: { optimize: false },
});
ajv.addFormat('date-time', { validate: (text: string) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)) });
// Read by the parameter check and the OpenAPI document; annotations for Ajv.
ajv.addKeyword({ keyword: 'x-not-blank', schemaType: 'boolean' });
ajv.addKeyword({ keyword: 'x-label', schemaType: 'string' });
ajv.addKeyword({ keyword: 'x-secret', schemaType: 'boolean' });
// Pattern in words, which `describeProblems` shows instead of the pattern.
ajv.addKeyword({ keyword: 'x-expected', schemaType: 'string' });

export type SchemaProblem = Pick<ErrorObject, 'keyword' | 'instancePath' | 'params' | 'message'> & {
  readonly schemaPath?: string;
};

/** Returns the problems of a value, empty for a valid one. */
export type Check = (value: unknown) => readonly SchemaProblem[];

/**
 * Creates a check against a schema, compiled at the first call. Compiling all at process start would take 0.4 s. The
 * first call throws for an invalid schema.
 */
export function compileCheck(schema: object): Check {
  const fits = compileSchema(schema);
  return (value) => (fits(value) ? [] : (fits.errors ?? []));
}

export interface CompiledSchema<T> {
  /** Type guard that stores the problems of the last call in `errors`. */
  (value: unknown): value is T;
  errors?: ErrorObject[] | null | undefined;
}

/**
 * Creates a type guard, `compileSchema<FromSchema<typeof schema>>(schema)`, compiled at the first call. That call
 * throws for an invalid schema.
 */
export function compileSchema<T>(schema: object): CompiledSchema<T> {
  let validate: CompiledSchema<T> | null = null;
  const guard: CompiledSchema<T> = (value): value is T => {
    validate ??= ajv.compile<T>(schema) as CompiledSchema<T>;
    const fits = validate(value);
    guard.errors = validate.errors;
    return fits;
  };
  return guard;
}

/** Converts `/server/port` to `server.port`. */
function dotted(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** Full name of the member with the problem: `server.port`. */
function subject(problem: SchemaProblem): string {
  const at = dotted(problem.instancePath);
  const params = problem.params as Record<string, unknown>;
  const member = params.missingProperty ?? params.additionalProperty;
  return [at, typeof member === 'string' ? member : ''].filter((part) => part !== '').join('.') || 'the value';
}

/** Finds the annotation `x-expected` beside the violated keyword. */
export function expectedAt(schema: object, schemaPath: string): string | null {
  const names = schemaPath.split('/').slice(1, -1);
  const beside = names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    schema,
  );
  const expected = (beside as { 'x-expected'?: unknown } | undefined)?.['x-expected'];
  return typeof expected === 'string' ? expected : null;
}

function describe(problem: SchemaProblem, schema: object): string {
  const params = problem.params as Record<string, unknown>;
  switch (problem.keyword) {
    case 'required':
      return `${subject(problem)} is missing`;
    case 'additionalProperties':
      return `${subject(problem)} is not known`;
    case 'enum':
      return `${subject(problem)} must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
    case 'minLength':
      if (params.limit === 1) return `${subject(problem)} must not be empty`;
      return `${subject(problem)} must have at least ${String(params.limit)} characters`;
    case 'pattern': {
      const expected = expectedAt(schema, problem.schemaPath ?? '');
      return `${subject(problem)} ${expected === null ? (problem.message ?? 'is invalid') : `must be ${expected}`}`;
    }
    default:
      return `${subject(problem)} ${problem.message ?? 'is invalid'}`;
  }
}

/**
 * Describes each distinct problem in one sentence, without the refused value, which may be a secret. With the schema,
 * uses `x-expected` instead of patterns.
 */
export function describeProblems(errors: readonly SchemaProblem[] | null | undefined, schema: object = {}): string[] {
  return [...new Set((errors ?? []).map((problem) => describe(problem, schema)))];
}
