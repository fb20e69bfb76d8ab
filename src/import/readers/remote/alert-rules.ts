import { cutText } from '../../../lib/text/clean-text.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { countOf, listOf } from '../../../thirdparty/map/values.ts';
import { lineText } from './remote-values.ts';

const MAX_RULE = 500;
const MAX_PARTS = 20;

const partsOf = (value: unknown): string[] =>
  listOf(value)
    .slice(0, MAX_PARTS)
    .flatMap((part) => (isRecord(part) ? (lineText(part.name ?? part.type ?? part.id, 200) ?? []) : []));

/** Describes an alert rule of Sentry or Urgentry; null without a name. Addresses of actions are left out. */
export function ruleText(row: unknown): string | null {
  const name = isRecord(row) ? lineText(row.name, 200) : null;
  if (!isRecord(row) || name === null) return null;
  const [conditions, filters, actions] = [row.conditions, row.filters, row.actions].map(partsOf);
  const environment = lineText(row.environment, 100);
  const text = [
    name,
    conditions?.length ? `when ${conditions.join(' or ')}` : null,
    filters?.length ? `if ${filters.join(' and ')}` : null,
    actions?.length ? `then ${actions.join(', ')}` : null,
    environment === null ? null : `in ${environment}`,
  ].filter((part) => part !== null);
  return cutText(text.join('; '), MAX_RULE);
}

/** Describes a workflow, as newer versions of Sentry have instead of rules; null without a name. */
export function workflowText(row: unknown): string | null {
  if (!isRecord(row)) return null;
  const filters = listOf(row.actionFilters).slice(0, MAX_PARTS).filter(isRecord);
  return ruleText({
    name: row.name,
    conditions: isRecord(row.triggers) ? row.triggers.conditions : [],
    filters: filters.flatMap(({ conditions }) => listOf(conditions)),
    actions: filters.flatMap(({ actions }) => listOf(actions)).map((one) => (isRecord(one) ? { name: one.type } : one)),
    environment: row.environment,
  });
}

/** Describes an alert of GlitchTip: a number of events in a time, and kinds of recipients. */
export function alertText(row: unknown): string | null {
  if (!isRecord(row)) return null;
  const [minutes, quantity] = [countOf(row.timespanMinutes ?? row.timespan_minutes), countOf(row.quantity)];
  const recipients = listOf(row.alertRecipients ?? row.alert_recipients)
    .slice(0, MAX_PARTS)
    .flatMap((one) => (isRecord(one) ? (lineText(one.recipientType ?? one.recipient_type, 100) ?? []) : []));
  const text = [
    lineText(row.name, 200) ?? 'alert',
    minutes === null || quantity === null ? null : `when an error has ${quantity} events in ${minutes} minutes`,
    row.uptime === true ? 'when a monitor fails' : null,
    recipients.length === 0 ? null : `then ${recipients.join(', ')}`,
  ].filter((part) => part !== null);
  return cutText(text.join('; '), MAX_RULE);
}
