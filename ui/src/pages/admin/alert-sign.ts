import type { Instance } from '../../api/admin-api.ts';

/** Seconds after which the oldest unsent message counts as late: messages are gathered for up to 90 s. */
const LATE_SECONDS = 300;

/** State of alerts in two or three words. */
export function alertSign(alerts: Instance['alerts']): { readonly good: boolean; readonly text: string } {
  if (alerts === null) return { good: false, text: 'not known' };
  if (alerts.failing > 0) return { good: false, text: `${alerts.failing} failing` };
  if (alerts.oldest_unsent_seconds > LATE_SECONDS) return { good: false, text: 'late' };
  if (alerts.failed > 0) return { good: false, text: `${alerts.failed} not delivered` };
  return { good: true, text: 'OK' };
}
