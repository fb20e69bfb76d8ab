import { hidden } from '../../../audit/audit-values.ts';
import {
  forwardValues,
  invitationValues,
  keyValues,
  plainAddress,
  projectValues,
  roleValues,
  settingsValues,
} from '../../../audit/shown-values.ts';
import { directMembers } from '../../../domain/projects/group.ts';
import { foldEmail, inProject } from '../../../domain/projects/invitation.ts';
import type { AuditTarget } from '../../http/audit/audit-rule.ts';
import { entityOfProject, idOrMade, projectTarget } from '../../http/audit/audit-targets.ts';
import type { AnyCall } from '../../http/route.ts';

/** The project of the path, or the one that was made. */
export const projectOfRequest: AuditTarget<AnyCall> = {
  type: 'Project',
  async read({ deps, project: known }, made) {
    const id = known?.id ?? idOrMade(undefined, made);
    const project = id === null ? null : await deps.store.projectById(id);
    if (project === null) return null;
    const { path: name } = project;
    return { id: project.id, name, entity: entityOfProject(project), values: projectValues(project) };
  },
};

export const memberTarget = projectTarget('Member', async ({ deps, project, path }, made) => {
  const id = idOrMade(path.user_id, made);
  const members = directMembers(await deps.store.listMembers(project.id), 'project', project.path);
  const member = members.find(({ userId }) => userId === id);
  return member === undefined ? null : { id, name: member.username, values: roleValues(member) };
});

export const invitationTarget = projectTarget('Invitation', async ({ deps, project, path }) => {
  const found = await deps.store.invitationFor(inProject(project.id), foldEmail(path.email ?? ''));
  return found === null ? null : { id: found.id, name: found.email, values: invitationValues(found) };
});

/** A key is a secret: its id names it. */
export const clientKeyTarget = projectTarget('Client key', async ({ deps, project, path }, made) => {
  const id = idOrMade(path.key_id, made);
  const key = (await deps.store.listKeys(project.id)).find((each) => each.id === id);
  return key === undefined ? null : { id, name: `client key ${key.id}`, values: keyValues(key) };
});

export const settingsTarget = projectTarget('Error tracking settings', async ({ deps, project }) => {
  const settings = await deps.store.settings(project.id);
  if (settings === null) return null;
  return { id: project.id, name: project.path, values: settingsValues(settings) };
});

export const protectionTarget = projectTarget('Protection', async ({ deps, project }) => {
  const own = await deps.store.protection(project.id);
  if (own === null) return null;
  const values = {
    sensitive_fields: own.sensitiveFields,
    scrub_ips: own.scrubIps,
    key_events_per_minute: own.keyEventsPerMinute,
    project_events_per_minute: own.projectEventsPerMinute,
  };
  return { id: project.id, name: project.path, values };
});

export const forwardingTarget = projectTarget('Forwarding', async ({ deps, project }) => {
  const view = await deps.forwarding.view(project.id);
  if (view === null) return null;
  return { id: project.id, name: view.target, values: forwardValues(view) };
});

export const linksTarget = projectTarget('Links', async ({ deps, project }) => {
  const { repository, issueTracker, sealedToken } = await deps.store.projectLinks(project.id);
  const values = {
    repository: plainAddress(repository?.urlTemplate ?? null),
    default_ref: repository?.defaultRef ?? null,
    ref_template: repository?.refTemplate ?? null,
    prefixes: repository?.prefixes.map(({ from, to }) => `${from} → ${to}`) ?? null,
    issue_tracker: issueTracker?.kind ?? null,
    new_issue_url: plainAddress(issueTracker?.newIssueUrl ?? null),
    issue_api_url: plainAddress(issueTracker?.apiUrl ?? null),
    issue_project: issueTracker?.project ?? null,
    issue_token: hidden(sealedToken),
  };
  return { id: project.id, name: project.path, values };
});

export const issueHookTarget = projectTarget('Issue hook', async ({ deps, project }) => {
  const hook = await deps.issueHooks.hook(project.id);
  return hook === null ? null : { id: project.id, name: project.path, values: { secret: hidden(hook.sealed) } };
});
