import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../domain/app-error.ts';
import type { HookRequest } from '../../domain/ports/issue-hooks.ts';
import { isSignedMessage, newWebhookSecret } from '../../lib/standard-webhooks.ts';

/** Maximum characters of the id of a request; longer ones are cut. */
const MAX_ID = 200;

/** Request whose sender knows the secret. */
export interface CheckedRequest {
  /** Id of the request, the same when GitLab sends it again; empty: it has none. */
  readonly delivery: string;
  readonly body: Buffer;
}

/** The same refusal for an unknown project, one without a webhook, and a wrong secret. */
export function refusedHook(): AppError {
  return new AppError(
    'invalid_credentials',
    'the webhook is not accepted: turn it on in the settings of the project here, and enter its secret in GitLab; a signed request must be at most 5 minutes old',
  );
}

/** Compares texts of any length in a time that does not depend on where they differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/**
 * Checks a request by its signature (Standard Webhooks), else by the secret itself in `X-Gitlab-Token`. A request with a
 * wrong signature is refused whatever its token is. `secret` null: there is no webhook. The body is read then too, so
 * that neither the refusal nor its time tells. Throws `invalid_credentials`.
 */
export async function checkRequest(
  { header, body }: HookRequest,
  known: string | null,
  now: number,
): Promise<CheckedRequest> {
  const secret = known ?? newWebhookSecret();
  const signatures = header('webhook-signature');
  if (signatures === '') {
    if (!isSame(header('x-gitlab-token'), secret)) throw refusedHook();
    const id = header('idempotency-key') || header('x-gitlab-webhook-uuid') || header('x-gitlab-event-uuid');
    return { delivery: id.slice(0, MAX_ID), body: await body() };
  }
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const message = { id, seconds: /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : 0, body: await body() };
  if (!isSignedMessage(message, signatures, secret, now)) throw refusedHook();
  return { delivery: id.slice(0, MAX_ID), body: message.body };
}
