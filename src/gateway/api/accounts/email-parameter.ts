import { AppError } from '../../../domain/app-error.ts';
import { emailProblem } from '../../../domain/names.ts';
import type { AccountCall } from '../../http/route.ts';

/** Returns the address of a request; null: it is removed; undefined: it is not changed. */
export function emailParameter(
  { rawParameters }: AccountCall<unknown>,
  email: string | undefined,
): string | null | undefined {
  if (email === undefined) return rawParameters.email === '' || rawParameters.email === null ? null : undefined;
  const problem = emailProblem(email);
  if (problem !== null) throw new AppError('invalid_parameter', `email is invalid: ${problem}`);
  return email;
}
