import { cursorsOf, type Cursors } from '../lib/link-header.ts';
import { answered, api } from './client.ts';
import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];
export type Alerts = Schemas['Alerts'];
export type AlertRule = Schemas['AlertRule'];
export type FactKind = AlertRule['when']['kinds'][number];
export type AlertChannel = Schemas['AlertChannel'];
export type ChannelType = AlertChannel['type'];
export type AlertOutlook = Schemas['AlertOutlook'];
export type AlertDelivery = Schemas['AlertDelivery'];
export type ErrorAlert = Schemas['ErrorAlert'];
export type NewChannel = NonNullable<operations['createAlertChannel']['requestBody']>['content']['application/json'];
export type ChannelChange = NonNullable<operations['updateAlertChannel']['requestBody']>['content']['application/json'];
/** Channel after it was saved, with a secret that errgate made. */
export type SavedChannel = Schemas['SavedAlertChannel'];

const BASE = '/api/v4/projects/{id}/error_tracking';
const on = (project: string) => ({ params: { path: { id: project } } });

export async function getAlerts(project: string): Promise<Alerts> {
  return (await answered(api.GET(`${BASE}/alerts`, on(project)))).data;
}

/** A rule without an id is new. */
export type RuleDraft = Omit<AlertRule, 'id'> & { readonly id?: number };

/** Replaces the rules; without `poll` that switch stays. Throws an `ApiFailure` that names the wrong value. */
export async function saveAlerts(project: string, rules: readonly RuleDraft[], poll?: boolean): Promise<Alerts> {
  const body = { rules: [...rules], ...(poll === undefined ? {} : { poll }) };
  return (await answered(api.PUT(`${BASE}/alerts`, { ...on(project), body }))).data;
}

export async function listChannels(project: string): Promise<AlertChannel[]> {
  return (await answered(api.GET(`${BASE}/alert_channels`, on(project)))).data;
}

export async function createChannel(project: string, body: NewChannel): Promise<SavedChannel> {
  return (await answered(api.POST(`${BASE}/alert_channels`, { ...on(project), body }))).data;
}

const ofChannel = (project: string, id: number) => ({ params: { path: { id: project, channel_id: id } } });

/** Changes a channel; absent members stay. */
export async function updateChannel(project: string, id: number, body: ChannelChange): Promise<SavedChannel> {
  return (await answered(api.PUT(`${BASE}/alert_channels/{channel_id}`, { ...ofChannel(project, id), body }))).data;
}

export async function removeChannel(project: string, id: number): Promise<void> {
  await answered(api.DELETE(`${BASE}/alert_channels/{channel_id}`, ofChannel(project, id)));
}

/** Sends a test message at once, and returns what the receiver answered. */
export async function testChannel(project: string, id: number): Promise<AlertDelivery> {
  return (await answered(api.POST(`${BASE}/alert_channels/{channel_id}/test`, ofChannel(project, id)))).data;
}

export interface DeliveryPage extends Cursors {
  readonly deliveries: readonly AlertDelivery[];
}

/** Lists deliveries, newest first; `channel`: only those to a channel. */
export async function listDeliveries(
  project: string,
  { cursor, channel }: { readonly cursor: string; readonly channel: number | null },
  signal: AbortSignal,
): Promise<DeliveryPage> {
  const query = {
    per_page: 20,
    ...(cursor === '' ? {} : { cursor }),
    ...(channel === null ? {} : { channel_id: channel }),
  };
  const { data, headers } = await answered(
    api.GET(`${BASE}/alert_deliveries`, { params: { path: { id: project }, query }, signal }),
  );
  return { deliveries: data, ...cursorsOf(headers.get('Link')) };
}

/** Sends a failed delivery again, and returns how it went. */
export async function sendAgain(project: string, id: string): Promise<AlertDelivery> {
  const params = { path: { id: project, delivery_id: id } };
  return (await answered(api.POST(`${BASE}/alert_deliveries/{delivery_id}/resend`, { params }))).data;
}

/** Lists what was reported about an error, newest first. */
export async function listErrorAlerts(
  project: string,
  errorId: string,
  signal: AbortSignal,
): Promise<readonly ErrorAlert[]> {
  const params = { path: { id: project, error_id: errorId } };
  return (await answered(api.GET(`${BASE}/errors/{error_id}/alerts`, { params, signal }))).data;
}
