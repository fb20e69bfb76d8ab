import type { AlertChannel } from '../../../domain/alerts/alert-channel.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Outlook } from '../../../domain/ports/alert-setup.ts';
import type { SavedChannel } from '../../../domain/ports/channel-setup.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { bodyValidator } from '../../http/body-validator.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { idOf } from '../../http/path-ids.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type ProjectCall, type Reply, type Route } from '../../http/route.ts';
import {
  alertChannelSchema,
  alertChannelsSchema,
  newAlertChannelSchema,
  putAlertChannelSchema,
  savedAlertChannelSchema,
} from './alert-channel-schema.ts';
import { channelTarget } from './audit-targets.ts';
import { presentAlertDelivery } from './alert-delivery-presenter.ts';
import { alertDeliverySchema } from './alert-delivery-schema.ts';

const PATH = '/api/v4/projects/:id/error_tracking/alert_channels';

const validateNew = bodyValidator(newAlertChannelSchema);
const validateChange = bodyValidator(putAlertChannelSchema);

const present = presenter(alertChannelSchema);

/** Outlook of a channel that no message was gathered for yet. */
const IDLE = {
  state: 'idle',
  nextAt: null,
  reason: '',
  lastSentAt: null,
  failingSince: null,
  lastAnswer: null,
} as const;

function presentAlertChannel(channel: AlertChannel, outlooks: readonly Outlook[]) {
  const outlook = outlooks.find(({ destination }) => destination === `channel:${channel.id}`);
  return present({ ...channel, outlook: outlook ?? IDLE });
}

const noChannel = (): AppError => new AppError('not_found', 'the project has no such channel');

function channelIdOf({ path }: ProjectCall<unknown>): number {
  const id = idOf(path.channel_id);
  if (id === null) throw noChannel();
  return id;
}

const blankToNull = (secret: string | null): string | null => secret?.trim() || null;

/** Answers with a channel, and with a secret that errgate made, which must not be kept by caches. */
async function channelReply(
  { deps, project }: ProjectCall<unknown>,
  status: number,
  made: SavedChannel,
): Promise<Reply> {
  const channel = presentAlertChannel(made.channel, await deps.alerts.outlook(project.id));
  const secret = made.secret === null ? {} : { secret: made.secret };
  return { status, headers: { 'Cache-Control': 'no-store' }, body: { ...channel, ...secret } };
}

export const alertChannelRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listAlertChannels',
    summary: 'List the alert channels of a project, at most 20; addresses and secrets are never shown',
    action: 'read_alerts',
    responses: { 200: { description: 'The channels, by id', schema: alertChannelsSchema }, ...problems },
    async handle({ deps, project }) {
      const [channels, outlooks] = await Promise.all([
        deps.alertStore.listChannels(project.id),
        deps.alerts.outlook(project.id),
      ]);
      return { status: 200, body: channels.map((channel: AlertChannel) => presentAlertChannel(channel, outlooks)) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createAlertChannel',
    summary: 'Add an alert channel; the answer has the signing secret of a webhook if errgate made it',
    action: 'manage_alerts',
    audit: { event: 'alert_channel_created', target: channelTarget },
    body: newAlertChannelSchema,
    jsonOnly: true,
    responses: {
      201: { description: 'The channel', schema: savedAlertChannelSchema },
      ...problems,
      409: { description: 'The project has the maximum of channels', schema: problemSchema },
    },
    async handle(call) {
      const { type, name, url, secret = null } = validateNew(call.rawParameters);
      const draft = { type, name: name.trim(), url, secret: blankToNull(secret) };
      return channelReply(call, 201, await call.deps.alertChannels.create(call.project.id, draft));
    },
  }),
  projectRoute({
    method: 'PUT',
    path: `${PATH}/:channel_id`,
    operationId: 'updateAlertChannel',
    summary: 'Change an alert channel, switch it on or off, or rotate the secret of a webhook',
    action: 'manage_alerts',
    audit: { event: 'alert_channel_changed', target: channelTarget },
    body: putAlertChannelSchema,
    jsonOnly: true,
    responses: { 200: { description: 'The channel', schema: savedAlertChannelSchema }, ...problems },
    async handle(call) {
      const { name, url, secret, rotate_secret: rotateSecret, enabled } = validateChange(call.rawParameters);
      const newSecret = secret === undefined ? undefined : blankToNull(secret);
      const change = definedMembers({ name: name?.trim(), url, secret: newSecret, rotateSecret, enabled });
      const changed = await call.deps.alertChannels.change(call.project.id, channelIdOf(call), change);
      if (changed === null) throw noChannel();
      return channelReply(call, 200, changed);
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:channel_id`,
    operationId: 'deleteAlertChannel',
    summary: 'Delete an alert channel; messages on their way to it are dropped',
    action: 'manage_alerts',
    audit: { event: 'alert_channel_deleted', target: channelTarget },
    responses: { 204: { description: 'The channel is deleted' }, ...problems },
    async handle(call) {
      if (!(await call.deps.alerts.removeChannel(call.project.id, channelIdOf(call)))) throw noChannel();
      return { status: 204, body: null };
    },
  }),
  projectRoute({
    method: 'POST',
    path: `${PATH}/:channel_id/test`,
    operationId: 'testAlertChannel',
    summary: 'Send a test message now (waits up to 1 minute) and return the result',
    action: 'manage_alerts',
    audit: { not: 'sends a message, which the list of deliveries has' },
    responses: {
      200: { description: 'The delivery, with the reason if it failed', schema: alertDeliverySchema },
      ...problems,
    },
    async handle(call) {
      const delivery = await call.deps.alerts.testChannel(call.project.id, channelIdOf(call));
      if (delivery === null) throw noChannel();
      return { status: 200, body: presentAlertDelivery(delivery, call.project.id) };
    },
  }),
];
