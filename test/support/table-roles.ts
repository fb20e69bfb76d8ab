import type { CopyPart } from '../../src/storage/copy/copy-rows.ts';

/** Reason why a table does not take part. */
export interface Not {
  readonly not: string;
}

const not = (reason: string): Not => ({ not: reason });

/** How a table takes part in what is done with a whole store, a project or merged errors. */
export interface TableRole {
  /** Part of `copy-store` that has its rows. */
  readonly copy: CopyPart | Not;
  /** Text of its rows in `fill-every-table.ts` that an export must have. */
  readonly exported: RegExp | Not;
  /** `all`: a restored backup has its rows. */
  readonly backup: 'all' | Not;
  /** `removed`: a deleted project leaves no row, and no other project loses one. */
  readonly deletion: 'removed' | Not;
  /** `same`: its rows are as before when errors were merged and separated again. */
  readonly merge: 'same' | Not;
}

/** Most tables: in backups, removed with their project, and untouched by merges, which only set pointers. */
const OF_PROJECT = { backup: 'all', deletion: 'removed', merge: 'same' } as const;
const OF_INSTANCE = { ...OF_PROJECT, deletion: not('belongs to the instance') } as const;

const NOT_FOR_OTHERS = not('an export is for other trackers: it has no people, settings or secrets');
const DERIVED = not('is counted from events again, or stands in the numbers of errors');
const OF_ALERTS = not('says what this instance has told whom');
const COUNTED_AS_ERROR = not('its effect is in the counts of the error, which the export has');

/** Tables of SQLite. A new one needs a row here, and code where the row says that it takes part. */
export const SQLITE_TABLES: Readonly<Record<string, TableRole>> = {
  meta: { ...OF_INSTANCE, copy: 'meta', exported: NOT_FOR_OTHERS },
  sqlite_sequence: {
    ...OF_INSTANCE,
    copy: 'counters',
    exported: not('numbers are in the exported rows'),
    deletion: not('numbers are never given again'),
  },
  users: { ...OF_INSTANCE, copy: 'users', exported: NOT_FOR_OTHERS },
  access_tokens: { ...OF_INSTANCE, copy: 'tokens', exported: NOT_FOR_OTHERS },
  web_sessions: {
    ...OF_INSTANCE,
    copy: 'webSessions',
    exported: NOT_FOR_OTHERS,
    backup: not('a session that was ended must not come back'),
  },
  identities: { ...OF_INSTANCE, copy: 'identities', exported: NOT_FOR_OTHERS },
  granted_roles: { ...OF_INSTANCE, copy: 'grantedRoles', exported: NOT_FOR_OTHERS },
  second_factors: { ...OF_INSTANCE, copy: 'secondFactors', exported: NOT_FOR_OTHERS },
  projects: { ...OF_PROJECT, copy: 'projects', exported: /"path":"acme\/stays"/ },
  project_redirects: { ...OF_PROJECT, copy: 'redirects', exported: not('paths lead on in this instance only') },
  project_aliases: { ...OF_PROJECT, copy: 'projectAliases', exported: /alias-of-old-dsn/ },
  removed_projects: {
    ...OF_INSTANCE,
    copy: not('copy-store waits until it is empty'),
    exported: not('projects that are gone are not exported'),
    deletion: not('names the project while its rows are being removed; it is empty afterwards'),
  },
  members: { ...OF_PROJECT, copy: 'members', exported: NOT_FOR_OTHERS },
  groups: { ...OF_INSTANCE, copy: 'groups', exported: NOT_FOR_OTHERS },
  group_members: { ...OF_INSTANCE, copy: 'groupMembers', exported: NOT_FOR_OTHERS },
  settings: { ...OF_PROJECT, copy: 'settings', exported: NOT_FOR_OTHERS },
  protections: { ...OF_PROJECT, copy: 'protections', exported: NOT_FOR_OTHERS },
  forwards: { ...OF_PROJECT, copy: 'forwards', exported: NOT_FOR_OTHERS },
  forward_states: { ...OF_PROJECT, copy: 'forwardStates', exported: NOT_FOR_OTHERS },
  client_keys: { ...OF_PROJECT, copy: 'clientKeys', exported: /glet_of_acme_stays/ },
  errors: { ...OF_PROJECT, copy: 'errors', exported: /ValueError: bad value in one/ },
  error_groups: {
    ...OF_PROJECT,
    copy: not('is computed from the members at the end of the copy'),
    exported: not('members name their root'),
  },
  error_terms: { ...OF_PROJECT, copy: 'errors', exported: DERIVED },
  rank_queue: {
    ...OF_PROJECT,
    copy: not('the copy ranks all errors anew'),
    exported: not('ranks are computed from counts'),
    merge: not('names what is to be ranked again'),
  },
  user_names: { ...OF_PROJECT, copy: 'userNames', exported: NOT_FOR_OTHERS },
  discarded_groups: {
    ...OF_PROJECT,
    copy: 'discardedGroups',
    exported: not('its events never come into the other tracker'),
  },
  discarded_hashes: {
    ...OF_PROJECT,
    copy: 'discardedHashes',
    exported: not('its events never come into the other tracker'),
  },
  removed_errors: {
    ...OF_INSTANCE,
    copy: not('copy-store waits until it is empty'),
    exported: not('errors that are gone are not exported'),
    deletion: not('names the error while its rows are being removed; it is empty afterwards'),
  },
  error_users: { ...OF_PROJECT, copy: 'errorUsers', exported: COUNTED_AS_ERROR },
  error_hours: { ...OF_PROJECT, copy: 'errorHours', exported: /"hours":\[\[\d+,\d+\]/ },
  error_tags: { ...OF_PROJECT, copy: 'errorTags', exported: DERIVED },
  error_tag_keys: { ...OF_PROJECT, copy: 'errorTags', exported: DERIVED },
  event_keys: { ...OF_PROJECT, copy: 'events', exported: not('events without a payload are in the counts') },
  events: { ...OF_PROJECT, copy: 'events', exported: /"error_id":"\d+"/ },
  event_blocks: { ...OF_PROJECT, copy: 'eventBlocks', exported: /"joins 5"/ },
  event_reports: { ...OF_PROJECT, copy: 'eventReports', exported: /what a person wrote/ },
  outcomes: { ...OF_PROJECT, copy: 'outcomes', exported: not('statistics of this instance') },
  releases: { ...OF_PROJECT, copy: 'releases', exported: /"version":"app@1\.2\.3"/ },
  release_hours: { ...OF_PROJECT, copy: 'releaseHours', exported: not('statistics of sessions are not imported') },
  release_users: { ...OF_PROJECT, copy: 'releaseUsers', exported: not('statistics of sessions are not imported') },
  sessions: { ...OF_PROJECT, copy: 'sessionRows', exported: not('sessions are not imported') },
  journals: {
    ...OF_INSTANCE,
    copy: not('journals begin with their next batch in the other store; event keys recognise repeats'),
    exported: not('says which batches this store has'),
    deletion: not('has one row per journal, whatever projects its batches are of'),
  },
  import_sources: { ...OF_PROJECT, copy: 'importSources', exported: not('errors name their own page there') },
  import_states: { ...OF_PROJECT, copy: 'importStates', exported: not('an import goes on in the store it began in') },
  imported_errors: { ...OF_PROJECT, copy: 'importedErrors', exported: /"permalink":"https:\/\/old\.example\.test/ },
  external_references: { ...OF_PROJECT, copy: 'importedErrors', exported: /"kind":"short_id","value":"SHOP-/ },
  imported_buckets: {
    ...OF_PROJECT,
    copy: 'importedErrors',
    exported: not('charts of the former tracker are its own'),
  },
  group_aliases: { ...OF_PROJECT, copy: 'groupAliases', exported: /"groups":\[\{"hash":"[0-9a-f]{32}","version":1/ },
  known_events: { ...OF_PROJECT, copy: 'knownThere', exported: COUNTED_AS_ERROR },
  imported_events: { ...OF_PROJECT, copy: 'importedEvents', exported: /body that the tracker had/ },
  error_notes: { ...OF_PROJECT, copy: 'errorNotes', exported: /seen in Lisbon/ },
  own_notes: { ...OF_PROJECT, copy: 'ownNotes', exported: /"id":"own:\d+"/ },
  error_activity: {
    ...OF_PROJECT,
    copy: 'errors',
    exported: /"type":"note_added","dateCreated"/,
    merge: not('records merging and separating'),
  },
  alert_facts: { ...OF_PROJECT, copy: 'alertFacts', exported: OF_ALERTS },
  alert_channels: { ...OF_PROJECT, copy: 'alertChannels', exported: /"channels":\[\{"name":"ops","type":"webhook"/ },
  project_alerts: { ...OF_PROJECT, copy: 'projectAlerts', exported: /"rules":\[\{"name":"Important changes"/ },
  alert_preferences: { ...OF_INSTANCE, copy: 'alertPreferences', exported: NOT_FOR_OTHERS },
  alert_conversations: { ...OF_PROJECT, copy: 'alertConversations', exported: OF_ALERTS },
  alert_deliveries: { ...OF_PROJECT, copy: 'alertDeliveries', exported: OF_ALERTS },
  alert_delivery_projects: { ...OF_PROJECT, copy: 'alertDeliveries', exported: OF_ALERTS },
  alert_arms: { ...OF_PROJECT, copy: 'alertArms', exported: OF_ALERTS },
  project_links: {
    ...OF_PROJECT,
    copy: 'projectLinks',
    exported: /"repository":\{"url_template":"https:\/\/git\.test\//,
  },
  issue_hooks: { ...OF_PROJECT, copy: 'issueHooks', exported: NOT_FOR_OTHERS },
  seen_issues: { ...OF_PROJECT, copy: 'seenIssues', exported: not('belongs to the webhook of this instance') },
  linked_issues: { ...OF_PROJECT, copy: 'linkedIssues', exported: /"url":"https:\/\/git\.test\/issues\/7"/ },
  saved_views: { ...OF_PROJECT, copy: 'savedViews', exported: NOT_FOR_OTHERS },
  favourites: { ...OF_PROJECT, copy: 'favourites', exported: NOT_FOR_OTHERS },
  token_projects: { ...OF_PROJECT, copy: 'tokenProjects', exported: NOT_FOR_OTHERS },
  build_releases: {
    ...OF_PROJECT,
    copy: 'buildReleases',
    exported: /"version":"app@1\.2\.3","url":null,"dateCreated"/,
  },
  release_commits: { ...OF_PROJECT, copy: 'releaseCommits', exported: /"id":"f00d","repository":null/ },
  deploys: { ...OF_PROJECT, copy: 'deploys', exported: /"deploys":\[\{"environment":"staging"/ },
  artifact_bundles: { ...OF_PROJECT, copy: 'artifactBundles', exported: /"content":"uploads\/(?:ab)+"/ },
  artifact_maps: { ...OF_PROJECT, copy: 'artifactMaps', exported: not('is made again from the upload') },
  upload_projects: { ...OF_PROJECT, copy: 'uploadProjects', exported: not('is made again with the first upload') },
  pending_uploads: { ...OF_PROJECT, copy: 'pendingUploads', exported: not('an export has what was opened of them') },
  audit_events: {
    ...OF_INSTANCE,
    copy: 'auditEvents',
    exported: /"event":"project_changed","dateCreated"/,
    deletion: not('stays, because it says who deleted the project'),
  },
  invitations: { ...OF_PROJECT, copy: 'invitations', exported: NOT_FOR_OTHERS },
  continuations: { ...OF_PROJECT, copy: 'continuations', exported: /"continued_by":"[0-9a-f]{32}"/ },
};

/** Role of a collection of MongoDB. Backups are those of its own tools. */
export type CollectionRole = Pick<TableRole, 'copy' | 'deletion' | 'merge'>;

const COPIED = (part: CopyPart): CollectionRole => ({ copy: part, deletion: 'removed', merge: 'same' });
const COPIED_OF_INSTANCE = (part: CopyPart): CollectionRole => ({ ...OF_INSTANCE, copy: part });
/** What gateways of this store know of each other. */
const OF_GATEWAYS: CollectionRole = { ...OF_INSTANCE, copy: not('says what the gateways of this store do') };

/** Content that rows name. */
const FILES_OF_ROWS: CollectionRole = {
  ...OF_INSTANCE,
  copy: not('files are copied by the names in the rows'),
  deletion: not('is removed by the job of uploads, an hour after it was written at the earliest'),
};

/** Collections of MongoDB, by their names there. */
export const MONGO_COLLECTIONS: Readonly<Record<string, CollectionRole>> = {
  errgate: OF_GATEWAYS,
  slots: {
    ...OF_GATEWAYS,
    deletion: not('has one document per journal, whatever projects its batches are of'),
    merge: not('has heartbeats, which come meanwhile'),
  },
  gateways: OF_GATEWAYS,
  meta: { ...COPIED_OF_INSTANCE('meta'), deletion: not('says that keys have changed'), merge: not('changes with it') },
  counters: { ...COPIED_OF_INSTANCE('counters'), deletion: not('numbers are never given again') },
  users: COPIED_OF_INSTANCE('users'),
  tokens: COPIED_OF_INSTANCE('tokens'),
  websessions: COPIED_OF_INSTANCE('webSessions'),
  identities: COPIED_OF_INSTANCE('identities'),
  grantedroles: COPIED_OF_INSTANCE('grantedRoles'),
  secondfactors: COPIED_OF_INSTANCE('secondFactors'),
  projects: COPIED('projects'),
  redirects: COPIED('redirects'),
  projectaliases: COPIED('projectAliases'),
  aliases: { ...COPIED('projectAliases'), copy: not('has what earlier versions wrote; none is written any more') },
  removedprojects: {
    ...OF_INSTANCE,
    copy: not('is written when a project is deleted here'),
    deletion: not('names the project for 15 minutes: batches that began before are swept then'),
  },
  members: COPIED('members'),
  settings: COPIED('settings'),
  protections: COPIED('protections'),
  forwards: COPIED('forwards'),
  forwardstates: COPIED('forwardStates'),
  clientkeys: COPIED('clientKeys'),
  events: COPIED('events'),
  eventblocks: COPIED('eventBlocks'),
  errorusers: COPIED('errorUsers'),
  usernames: COPIED('userNames'),
  deletederrors: {
    ...COPIED('errors'),
    copy: not('is about batches of journals that are closed before a copy'),
    merge: 'same',
  },
  discardedhashes: COPIED('discardedHashes'),
  discardedgroups: COPIED('discardedGroups'),
  errorhours: COPIED('errorHours'),
  errortags: COPIED('errorTags'),
  errors: COPIED('errors'),
  outcomes: COPIED('outcomes'),
  sessionrows: COPIED('sessionRows'),
  releaseusers: COPIED('releaseUsers'),
  releasehours: COPIED('releaseHours'),
  releases: COPIED('releases'),
  eventreports: COPIED('eventReports'),
  importsources: COPIED('importSources'),
  importstates: COPIED('importStates'),
  importederrors: COPIED('importedErrors'),
  groupaliases: COPIED('groupAliases'),
  knownthere: COPIED('knownThere'),
  importedevents: COPIED('importedEvents'),
  errornotes: COPIED('errorNotes'),
  ownnotes: COPIED('ownNotes'),
  alertfacts: COPIED('alertFacts'),
  alertchannels: COPIED('alertChannels'),
  projectalerts: COPIED('projectAlerts'),
  alertpreferences: COPIED_OF_INSTANCE('alertPreferences'),
  alertconversations: COPIED('alertConversations'),
  alertdeliveries: COPIED('alertDeliveries'),
  alertarms: COPIED('alertArms'),
  projectlinks: COPIED('projectLinks'),
  issuehooks: COPIED('issueHooks'),
  seenissues: COPIED('seenIssues'),
  linkedissues: COPIED('linkedIssues'),
  savedviews: COPIED('savedViews'),
  favourites: COPIED('favourites'),
  groups: COPIED_OF_INSTANCE('groups'),
  groupmembers: COPIED_OF_INSTANCE('groupMembers'),
  tokenprojects: COPIED('tokenProjects'),
  buildreleases: COPIED('buildReleases'),
  releasecommits: COPIED('releaseCommits'),
  deploys: COPIED('deploys'),
  artifactbundles: COPIED('artifactBundles'),
  artifactmaps: COPIED('artifactMaps'),
  uploadprojects: COPIED('uploadProjects'),
  pendinguploads: COPIED('pendingUploads'),
  continuations: COPIED('continuations'),
  auditevents: {
    ...COPIED_OF_INSTANCE('auditEvents'),
    deletion: not('stays, because it says who deleted the project'),
  },
  invitations: COPIED('invitations'),
  'artifacts.files': FILES_OF_ROWS,
  'artifacts.chunks': FILES_OF_ROWS,
};
