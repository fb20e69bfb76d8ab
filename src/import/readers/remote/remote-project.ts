import { isRecord } from '../../../lib/own-property.ts';
import type { RemoteProject } from '../../tracker-reader.ts';
import { lineText, MAX_NAME } from './remote-values.ts';

const SLUG = /^[\w-]{1,100}$/;
const ID = /^[\w-]{1,64}$/;

/** Members of Sentry's project that tell of use, with what happens to it. */
const FEATURES: readonly { readonly member: string; readonly text: string }[] = [
  {
    member: 'hasMonitors',
    text: 'crons: errgate has no monitors, so a missed check-in alarms nobody; keep sending check-ins to the old tracker',
  },
  { member: 'hasReplays', text: 'replays: errgate drops them' },
  { member: 'hasProfiles', text: 'profiles: errgate drops them' },
  { member: 'firstTransactionEvent', text: 'performance: errgate drops transactions' },
  { member: 'hasCustomMetrics', text: 'metrics: errgate drops them' },
  {
    member: 'hasMinifiedStackTrace',
    text: 'minified stack traces: errgate applies no source maps to new events; imported ones stay as they are mapped',
  },
  { member: 'hasNewFeedbacks', text: 'the feedback widget: its messages are not imported' },
];

/** Reads a project; null without a usable slug. An id of another form than applications can send is null. */
export function remoteProject(row: unknown): RemoteProject | null {
  if (!isRecord(row)) return null;
  const slug = lineText(row.slug, MAX_NAME) ?? '';
  const id = lineText(row.id, MAX_NAME) ?? '';
  if (!SLUG.test(slug)) return null;
  return {
    id: ID.test(id) ? id : null,
    slug,
    name: lineText(row.name, MAX_NAME) ?? slug,
    platform: lineText(row.platform, 64),
    uses: FEATURES.filter(
      ({ member }) => row[member] !== undefined && row[member] !== null && row[member] !== false,
    ).map(({ text }) => text),
  };
}
