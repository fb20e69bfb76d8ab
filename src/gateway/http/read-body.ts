import { AppError } from '../../domain/app-error.ts';
import { describeProblems, type CompiledSchema } from '../../schemas/compile.ts';

/** Returns a JSON body in the form of its schema. Throws `invalid_parameter` with every problem in it. */
export function readBody<T>(given: Readonly<Record<string, unknown>>, fits: CompiledSchema<T>, schema: object): T {
  const body: unknown = given;
  if (fits(body)) return body;
  throw new AppError('invalid_parameter', describeProblems(fits.errors, schema).join(', '));
}
