import { idOf } from '../path-ids.ts';
import type { AccountCall, AnyCall, GroupCall, ProjectCall } from '../route.ts';
import type { AuditedThing, AuditTarget } from './audit-rule.ts';

export { entityOfGroup, entityOfProject, entityOfUser } from '../../../audit/shown-values.ts';

/** Declares what a route about one project changes. */
export function projectTarget(
  type: string,
  read: (call: ProjectCall<unknown>, made: unknown) => Promise<AuditedThing | null>,
): AuditTarget<AnyCall> {
  return {
    type,
    read: (call, made) => {
      const { principal, project } = call;
      if (principal === null || project === null) throw new TypeError(`${type} was read without a project`);
      return read({ ...call, principal, project }, made);
    },
  };
}

/** Declares what a route about one group changes. */
export function groupTarget(
  type: string,
  read: (call: GroupCall<unknown>, made: unknown) => Promise<AuditedThing | null>,
): AuditTarget<AnyCall> {
  return {
    type,
    read: (call, made) => {
      const { principal, group } = call;
      if (principal === null || group === null) throw new TypeError(`${type} was read without a group`);
      return read({ ...call, principal, group }, made);
    },
  };
}

/** Declares what a route about users changes. */
export function accountTarget(
  type: string,
  read: (call: AccountCall<unknown>, made: unknown) => Promise<AuditedThing | null>,
): AuditTarget<AnyCall> {
  return {
    type,
    read: (call, made) => {
      const { principal } = call;
      if (principal === null) throw new TypeError(`${type} was read without a user`);
      return read({ ...call, principal }, made);
    },
  };
}

/** Returns the id in the path, or that of the thing that was made; null: there is none yet. */
export function idOrMade(inPath: string | undefined, made: unknown, member = 'id'): number | null {
  if (inPath !== undefined) return idOf(inPath);
  const id: unknown = typeof made === 'object' && made !== null ? Reflect.get(made, member) : null;
  return typeof id === 'number' ? id : null;
}
