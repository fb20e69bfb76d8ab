import { answered, api } from './client.ts';
import type { components, operations } from './schema.d.ts';

/** What the signed-in user wants by mail. */
export type AlertSettings = components['schemas']['AlertSettings'];
export type MailMode = AlertSettings['mail'];
export type AlertSettingsChange = NonNullable<
  operations['putAlertSettings']['requestBody']
>['content']['application/json'];

const PATH = '/api/v4/user/alert_settings';

export async function getAlertSettings(): Promise<AlertSettings> {
  return (await answered(api.GET(PATH))).data;
}

/** Absent members keep their values. Throws an `ApiFailure` that names the wrong value. */
export async function saveAlertSettings(body: AlertSettingsChange): Promise<AlertSettings> {
  return (await answered(api.PUT(PATH, { body }))).data;
}

/** Changes the e-mail address of the signed-in user; an empty one removes it. */
export async function saveEmail(email: string): Promise<void> {
  await answered(api.PUT('/api/v4/user', { body: { email } }));
}
