import type { GatewayInfo, MaintenanceStore } from '../../domain/ports/stores/maintenance-store.ts';
import { counted } from '../../lib/counted.ts';
import { ageText, type Finding, ok, warn } from './finding.ts';

/** Milliseconds after which a silent gateway is down or cut off; gateways announce themselves every few seconds. */
const UNSEEN_MS = 10 * 60_000;
/** Maximum number of journals shown one by one; the rest is counted. */
const SHOWN = 5;
/** Maximum difference of a gateway's clock in milliseconds; the transfer to the store and back is part of it. */
const SKEW_MS = 5000;

/** Reports running gateways, one line each, with the difference of their clocks. Null when the store is not shared. */
export async function checkGateways(store: Pick<MaintenanceStore, 'listGateways'>): Promise<Finding | null> {
  const gateways = await store.listGateways();
  if (gateways.length === 0) return null;
  const head = gateways.length === 1 ? '1 gateway is running' : `${gateways.length} gateways are running`;
  const message = [head, ...gateways.map(lineOf)].join('\n');
  if (gateways.every(({ aheadMs }) => Math.abs(aheadMs) <= SKEW_MS)) return ok('gateways', message);
  return warn(
    'gateways',
    message,
    'synchronise the clocks with NTP: by its clock a gateway decides whether an event reopens a resolved error',
  );
}

function lineOf({ gatewayId, version, silentMs, aheadMs }: GatewayInfo): string {
  const seconds = Math.abs(aheadMs) / 1000;
  const clock = `clock ${seconds.toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the store's`;
  return `${gatewayId.slice(0, 8)}: version ${version}, seen ${ageText(silentMs)} ago, ${clock}`;
}

/** Reports the journals of the gateways that share the store. Null when it is not shared. */
export async function checkJournals(
  store: Pick<MaintenanceStore, 'listJournals'>,
  now: number,
): Promise<Finding | null> {
  const journals = await store.listJournals();
  if (journals.length === 0) return null;
  const unseen = journals.filter(({ seenAt }) => now - seenAt > UNSEEN_MS).sort((a, b) => a.seenAt - b.seenAt);
  if (unseen.length === 0)
    return ok('journals', `${counted(journals.length, 'journal')}, all seen in the last 10 minutes`);
  const names = unseen
    .slice(0, SHOWN)
    .map(({ journalId, seenAt, open }) => {
      const unfinished = open ? ', with an unfinished batch' : '';
      return `${journalId.slice(0, 8)} for ${ageText(now - seenAt)}${unfinished}`;
    })
    .join('; ');
  const more = unseen.length > SHOWN ? `; and ${unseen.length - SHOWN} more` : '';
  return warn(
    'journals',
    `${unseen.length} of ${counted(journals.length, 'journal')} not seen: ${names}${more}`,
    'start their gateways again; if one was removed for good, run `errgate journal drain` on its data dir',
  );
}
