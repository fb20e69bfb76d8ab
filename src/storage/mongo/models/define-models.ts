import type { Connection, Model, Schema } from 'mongoose';
import { accessTokenSchema } from './access-token.ts';
import { clientKeySchema } from './client-key.ts';
import { controlSchema } from './control.ts';
import { counterSchema } from './counter.ts';
import { errorHoursSchema } from './error-hours.ts';
import { errorTagsSchema } from './error-tags.ts';
import { errorUserSchema } from './error-user.ts';
import { errorSchema } from './error.ts';
import { eventReportsSchema } from './event-reports.ts';
import { eventSchema } from './event.ts';
import { gatewaySchema } from './gateway.ts';
import { memberSchema } from './member.ts';
import { outcomeSchema } from './outcome.ts';
import { projectAliasSchema } from './project-alias.ts';
import { projectRedirectSchema } from './project-redirect.ts';
import { projectSchema } from './project.ts';
import { protectionSchema } from './protection.ts';
import { releaseHoursSchema } from './release-hours.ts';
import { releaseUserSchema } from './release-user.ts';
import { releaseSchema } from './release.ts';
import { removedProjectSchema } from './removed-project.ts';
import { sessionRowSchema } from './session-row.ts';
import { settingsSchema } from './settings.ts';
import { sharedValueSchema } from './shared-value.ts';
import { slotSchema } from './slot.ts';
import { userSchema } from './user.ts';
import { webSessionSchema } from './web-session.ts';

/** Every collection of the store, on one connection. */
export function defineModels(connection: Connection) {
  // The schema's generics (virtuals, methods) are empty here and only make the types incompatible.
  const model = <T>(name: string, schema: Schema<T>) => connection.model(name, schema) as unknown as Model<T>;
  return {
    control: model('Control', controlSchema),
    sharedValues: model('SharedValue', sharedValueSchema),
    counters: model('Counter', counterSchema),
    users: model('User', userSchema),
    tokens: model('AccessToken', accessTokenSchema),
    webSessions: model('WebSession', webSessionSchema),
    projects: model('Project', projectSchema),
    redirects: model('ProjectRedirect', projectRedirectSchema),
    aliases: model('ProjectAlias', projectAliasSchema),
    removedProjects: model('RemovedProject', removedProjectSchema),
    members: model('Member', memberSchema),
    settings: model('Settings', settingsSchema),
    protections: model('Protection', protectionSchema),
    clientKeys: model('ClientKey', clientKeySchema),
    errors: model('Error', errorSchema),
    events: model('Event', eventSchema),
    errorUsers: model('ErrorUser', errorUserSchema),
    errorHours: model('ErrorHours', errorHoursSchema),
    errorTags: model('ErrorTags', errorTagsSchema),
    outcomes: model('Outcome', outcomeSchema),
    sessionRows: model('SessionRow', sessionRowSchema),
    releases: model('Release', releaseSchema),
    releaseHours: model('ReleaseHours', releaseHoursSchema),
    releaseUsers: model('ReleaseUser', releaseUserSchema),
    eventReports: model('EventReports', eventReportsSchema),
    slots: model('Slot', slotSchema),
    gateways: model('Gateway', gatewaySchema),
  };
}

export type Models = ReturnType<typeof defineModels>;
