import type { AuditAuthor, AuditEntry } from '../../../audit/audit-trail.ts';
import { entityOfProject, entityOfUser, targetOf } from '../../../audit/shown-values.ts';
import { AppError } from '../../../domain/app-error.ts';
import { INSTANCE, type AuditEntity } from '../../../domain/audit/audit-event.ts';
import type { AnyCall, Reply, Route } from '../route.ts';
import type { AuditedChange, AuditedThing } from './audit-rule.ts';

/** Returns who makes a request. */
export function authorOf({
  principal,
  origin: { address },
}: Pick<AnyCall, 'principal'> & { readonly origin: Pick<AnyCall['origin'], 'address'> }): AuditAuthor {
  if (principal === null) return { id: null, name: 'nobody signed in', address };
  const { user, token } = principal;
  return { id: user.id, name: user.username, address, ...(token === null ? {} : { tokenId: token.id }) };
}

function entityOf({ project, principal }: AnyCall, thing: AuditedThing | null): AuditEntity {
  if (thing?.entity !== undefined) return thing.entity;
  if (project !== null) return entityOfProject(project);
  return principal === null ? INSTANCE : entityOfUser(principal.user);
}

function entryOf(call: AnyCall, { event, target: { type } }: AuditedChange<AnyCall>, thing: AuditedThing | null) {
  const { id = null, name = '', values = null } = thing ?? {};
  return {
    ...{ event, author: authorOf(call), entity: entityOf(call, thing), before: values },
    target: targetOf(type, id, name),
  } satisfies AuditEntry;
}

/** Runs the handler of a route. The audit log has the change before it is made, and its outcome afterwards. */
export async function auditedCall({ audit, handle }: Pick<Route, 'audit' | 'handle'>, call: AnyCall): Promise<Reply> {
  if (audit === undefined || !('event' in audit) || audit.only?.when(call) === false) return handle(call);
  const thing = await audit.target.read(call, null);
  const entry = entryOf(call, audit, thing);
  const started = await call.deps.auditTrail.begin(entry);
  let reply: Reply;
  try {
    reply = await handle(call);
  } catch (error) {
    await started.failed(error);
    throw error;
  }
  if (reply.status >= 400) await started.failed(new AppError('bad_request', 'the route has answered with a refusal'));
  else {
    // The change is made: without what it led to the log has only that it was.
    const made = await audit.target.read(call, reply.body).catch(() => null);
    const { target, entity } = made === null ? entry : entryOf(call, audit, made);
    await started.done({ target, entity: thing === null ? entity : entry.entity, after: made?.values ?? null });
  }
  return reply;
}
