import * as accounts from './kinds/account-kinds.ts';
import * as alerts from './kinds/alert-kinds.ts';
import * as artifacts from './kinds/artifact-kinds.ts';
import * as audit from './kinds/audit-kinds.ts';
import * as builds from './kinds/build-kinds.ts';
import * as groups from './kinds/group-kinds.ts';
import * as grouping from './kinds/grouping-kinds.ts';
import * as identity from './kinds/identity-kinds.ts';
import * as invitations from './kinds/invitation-kinds.ts';
import * as links from './kinds/link-kinds.ts';
import * as ofProjects from './kinds/project-kinds.ts';
import * as tracking from './kinds/tracking-kinds.ts';
import * as values from './kinds/value-kinds.ts';
import { snakeCase, type AnyKind, type Kind } from './kind.ts';

/** All declared kinds, by their names. A new kind is declared once, and named here. */
export const KINDS = {
  meta: values.meta,
  users: accounts.users,
  tokens: accounts.tokens,
  webSessions: accounts.webSessions,
  identities: identity.identities,
  grantedRoles: identity.grantedRoles,
  secondFactors: accounts.secondFactors,
  settings: tracking.settings,
  protections: tracking.protections,
  clientKeys: tracking.clientKeys,
  importStates: values.importStates,
  alertChannels: alerts.alertChannels,
  projectAlerts: alerts.projectAlerts,
  alertPreferences: alerts.alertPreferences,
  alertConversations: alerts.alertConversations,
  alertArms: alerts.alertArms,
  projectLinks: links.projectLinks,
  favourites: links.favourites,
  issueHooks: links.issueHooks,
  seenIssues: links.seenIssues,
  groups: groups.groups,
  groupMembers: groups.groupMembers,
  forwards: ofProjects.forwards,
  projectAliases: ofProjects.projectAliases,
  tokenProjects: builds.tokenProjects,
  buildReleases: builds.buildReleases,
  releaseCommits: builds.releaseCommits,
  deploys: builds.deploys,
  artifactBundles: artifacts.artifactBundles,
  artifactMaps: artifacts.artifactMaps,
  uploadProjects: artifacts.uploadProjects,
  pendingUploads: artifacts.pendingUploads,
  continuations: grouping.continuations,
  auditEvents: audit.auditEvents,
  invitations: invitations.invitations,
} as const;

export type KindName = keyof typeof KINDS;
type Snake<T extends string> = T extends `${infer F}${infer L}`
  ? `${F extends Lowercase<F> ? F : `_${Lowercase<F>}`}${Snake<L>}`
  : T;
/** Name of a kind, for its counter and its queries. */
export type KindLabel = Snake<KindName>;

export type RowOf<T> = T extends Kind<infer R, infer _K> ? R : never;
/** Rows of all kinds, by their names. */
export type KindRows = { readonly [N in KindName]: RowOf<(typeof KINDS)[N]> };

export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** Labels of all kinds. */
export const KIND_LABELS = KIND_NAMES.map(snakeCase) as KindLabel[];

/** Returns the kind of a name, for code that is the same for all. */
export function kindOf(name: string): AnyKind {
  if (!Object.hasOwn(KINDS, name)) throw new TypeError(`no kind of records is declared as ${name}`);
  return KINDS[name as KindName];
}
