import type { Context } from 'koa';
import type { GivenParameters } from './request-parameters.ts';

/** Names of parameters with a token; they must not get into links or logs. */
const TOKEN_PARAMETERS = ['access_token', 'private_token'] as const;

/** Returns the token of an `Authorization: Bearer …` header; null without one. */
export function bearerToken(ctx: Context): string | null {
  const match = /^Bearer +([^\s]+) *$/i.exec(ctx.get('Authorization'));
  return match?.[1] ?? null;
}

function parameter(given: GivenParameters, name: string): string | null {
  const value = given[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the first token in the order of the host's documentation; null without one. */
export function requestToken(ctx: Context, given: GivenParameters): string | null {
  const header = ctx.get('PRIVATE-TOKEN').trim();
  return (
    bearerToken(ctx) ??
    parameter(given, 'access_token') ??
    parameter(given, 'private_token') ??
    (header === '' ? null : header)
  );
}

/** Returns the parameters without those that contain a token. */
export function withoutTokens(given: GivenParameters): GivenParameters {
  const rest = { ...given };
  for (const name of TOKEN_PARAMETERS) Reflect.deleteProperty(rest, name);
  return rest;
}
