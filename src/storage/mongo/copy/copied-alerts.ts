import { ALERTS_RESTORED } from '../../../domain/ports/stores/alert-store.ts';
import type { CopyRows } from '../../copy/copy-rows.ts';
import type { MongoContext } from '../engine/context.ts';
import { MAJORITY } from '../engine/operation-options.ts';
import { factDocument, type FactDocument } from '../documents/alert-documents.ts';
import { deliveryDocument } from '../alerts/deliveries.ts';
import { HEAD } from '../alerts/fact-log.ts';

/** Counter in which a copy brings the greatest place of the log. */
const PLACES = 'alert_facts';

/** Documents of copied alerts. */
export const ALERT_DOCUMENTS = {
  alertFacts: ({ seq, silence, addedAt, ...fact }: CopyRows['alertFacts']): FactDocument => {
    const { w: _waiting, ...document } = factDocument(fact, addedAt, 0);
    return { ...document, seq, ...(silence === null ? {} : { silence }) };
  },
  alertDeliveries: deliveryDocument,
} as const;

/**
 * Lets the log of facts go on behind the copied places. What waits may have been sent by the copied store: see
 * ALERTS_RESTORED. Safe to repeat.
 */
export async function finishAlerts({ collections }: Pick<MongoContext, 'collections'>): Promise<void> {
  const { control, counters, meta } = collections;
  const places = await counters.findOne({ _id: PLACES });
  if (places === null) return;
  const options = { upsert: true, writeConcern: MAJORITY } as const;
  await control.updateOne({ _id: HEAD }, { $set: { last: places.next }, $setOnInsert: { version: 0 } }, options);
  await meta.updateOne({ _id: ALERTS_RESTORED }, { $set: { value: String(places.next) } }, options);
  await counters.deleteOne({ _id: PLACES }, { writeConcern: MAJORITY });
}
