import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { AppError } from '../../domain/app-error.ts';
import { compileSchema, describeProblems } from '../../schemas/compile.ts';

type RawParameters = Readonly<Record<string, unknown>>;

/**
 * Creates a function that returns a JSON body in the form of its schema. It throws `invalid_parameter` with every problem
 * in it.
 */
export function bodyValidator<const S extends JSONSchema>(schema: S & object): (body: RawParameters) => FromSchema<S> {
  const fits = compileSchema<FromSchema<S>>(schema);
  return (rawParameters) => {
    const body: unknown = rawParameters;
    if (fits(body)) return body;
    throw new AppError('invalid_parameter', describeProblems(fits.errors, schema).join(', '));
  };
}
