import { AppError } from '../../../../domain/app-error.ts';
import { answerFor } from '../../../http/http-errors.ts';
import type { Call } from '../../../http/route.ts';

type From = Pick<Call<unknown>, 'deps'>;
export type SignInWay = 'password' | 'provider';

export function countSignIn({ deps }: From, way: SignInWay): void {
  deps.metrics.signIns.inc({ way, outcome: 'ok' });
}

/** Does work of a sign-in, and counts its failure: `unavailable` when the service or the provider is at fault. */
export async function countingFailures<T>({ deps }: From, way: SignInWay, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isRefusal = error instanceof AppError && answerFor(error).status < 500;
    deps.metrics.signIns.inc({ way, outcome: isRefusal ? 'refused' : 'unavailable' });
    throw error;
  }
}
