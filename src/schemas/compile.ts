import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** RFC 3339 with an offset; the check is of the shape and of the calendar. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The only Ajv, for the dialect of OpenAPI 3.1 (JSON Schema 2020-12). Callers coerce values; every problem is
 * reported. A second pass over the code of each check would take longer than it saves.
 */
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  code: { optimize: false },
});
ajv.addFormat('date-time', { validate: (text: string) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)) });
// Read by the parameter check and by the OpenAPI document; for Ajv they are notes.
ajv.addKeyword({ keyword: 'x-not-blank', schemaType: 'boolean' });
ajv.addKeyword({ keyword: 'x-label', schemaType: 'string' });
ajv.addKeyword({ keyword: 'x-secret', schemaType: 'boolean' });
// What a pattern means, in words: `describeProblems` says it in place of the pattern.
ajv.addKeyword({ keyword: 'x-expected', schemaType: 'string' });

export type SchemaProblem = Pick<ErrorObject, 'keyword' | 'instancePath' | 'params' | 'message'> & {
  readonly schemaPath?: string;
};

/** The problems of a value, an empty list when it fits. */
export type Check = (value: unknown) => readonly SchemaProblem[];

/**
 * Checks values against a schema. Compiles it at the first call, which throws when the schema itself is wrong: all of
 * them at the start of a process would take 0.4 s.
 */
export function compileCheck(schema: object): Check {
  const fits = compileSchema(schema);
  return (value) => (fits(value) ? [] : (fits.errors ?? []));
}

export interface CompiledSchema<T> {
  /** A type guard that keeps the problems of the last call in `errors`. */
  (value: unknown): value is T;
  errors?: ErrorObject[] | null | undefined;
}

/**
 * A type guard for values of the schema, `compileSchema<FromSchema<typeof schema>>(schema)`; compiles at
 * the first call, which throws when the schema itself is wrong.
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

/** `/server/port` as people write it: `server.port`. */
function dotted(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** The member a problem is about, named from the top: `server.port`. */
function subject(problem: SchemaProblem): string {
  const at = dotted(problem.instancePath);
  const params = problem.params as Record<string, unknown>;
  const member = params.missingProperty ?? params.additionalProperty;
  return [at, typeof member === 'string' ? member : ''].filter((part) => part !== '').join('.') || 'the value';
}

/** The note `x-expected` beside the keyword that a value does not satisfy. */
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
    case 'pattern': {
      const expected = expectedAt(schema, problem.schemaPath ?? '');
      return `${subject(problem)} ${expected === null ? (problem.message ?? 'is invalid') : `must be ${expected}`}`;
    }
    default:
      return `${subject(problem)} ${problem.message ?? 'is invalid'}`;
  }
}

/**
 * One sentence per problem, each once; never the refused value, which may be a secret. With the schema,
 * patterns are put into words where it has them.
 */
export function describeProblems(errors: readonly SchemaProblem[] | null | undefined, schema: object = {}): string[] {
  return [...new Set((errors ?? []).map((problem) => describe(problem, schema)))];
}
