import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type SecondFactor = components['schemas']['SecondFactor'];

const PATH = '/api/v4/user/second_factor';

export async function getSecondFactor(signal: AbortSignal): Promise<SecondFactor> {
  return (await answered(api.GET(PATH, { signal }))).data;
}

/** Makes a new secret, which is not asked for before a code has confirmed it. Throws an `ApiFailure` with the reason. */
export async function beginSecondFactor(password: string): Promise<SecondFactor> {
  return (await answered(api.POST(PATH, { body: { password } }))).data;
}

/** Turns it on. Ends all other sessions, and begins a new one here. Only this answer has the recovery codes. */
export async function confirmSecondFactor(code: string): Promise<SecondFactor> {
  return (await answered(api.POST(PATH, { body: { code } }))).data;
}

/** Turns it off. Ends all other sessions, and begins a new one here. */
export async function removeSecondFactor(password: string): Promise<SecondFactor> {
  return (await answered(api.DELETE(PATH, { body: { password } }))).data;
}

/** Makes new recovery codes, which only this answer has. Those of before stop working. */
export async function renewRecoveryCodes(code: string): Promise<SecondFactor> {
  return (await answered(api.POST(`${PATH}/recovery_codes`, { body: { code } }))).data;
}
