import type { Delivery, Destination } from '../../../domain/alerts/alert-delivery.ts';
import { totalCounts } from '../../../domain/alerts/alert-message.ts';
import type { FactHistory } from '../../../domain/ports/alert-setup.ts';
import { presenter } from '../../http/presenter.ts';
import { alertDeliverySchema, errorAlertSchema } from './alert-delivery-schema.ts';

const presentDelivery = presenter(alertDeliverySchema);
const presentAlert = presenter(errorAlertSchema);

/** Returns a destination by its name, never by an address. */
function destinationOf({ destination, name }: { readonly destination: Destination; readonly name: string }) {
  const [kind, id] = destination.split(':');
  return { kind: kind === 'channel' ? 'channel' : 'person', id: Number(id), name } as const;
}

/** Presents a delivery as members of one project see it: without what the message says about others. */
export function presentAlertDelivery(delivery: Delivery, projectId: number) {
  const { message } = delivery;
  const parts = message.parts.filter(({ project }) => project.id === projectId);
  return presentDelivery({
    ...delivery,
    to: destinationOf(delivery),
    kind: message.kind,
    createdAt: message.createdAt,
    counts: totalCounts(parts),
    errors: parts.flatMap(({ errors }) =>
      errors.map(({ fact, error }) => ({ id: error.id, title: error.title, fact })),
    ),
    note: message.note,
  });
}

/** Presents what happened to an error, and what was sent about it. */
export function presentErrorAlert({ fact, outcomes, silence }: FactHistory) {
  return presentAlert({
    ...fact,
    fact: fact.kind,
    silence,
    deliveries: outcomes.map((outcome) => ({ ...outcome, id: outcome.messageId, to: destinationOf(outcome) })),
  });
}
