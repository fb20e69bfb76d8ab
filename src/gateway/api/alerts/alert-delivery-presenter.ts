import type { Delivery, Destination } from '../../../domain/alert-delivery.ts';
import { totalCounts } from '../../../domain/alert-message.ts';
import type { FactHistory, FactOutcome } from '../../../domain/ports/alert-setup.ts';
import { isoTime } from '../../http/iso-time.ts';

/** Presents a destination by its name, never by an address. */
export function presentDestination(destination: Destination, name: string) {
  const [kind, id] = destination.split(':');
  return { kind: kind === 'channel' ? 'channel' : 'person', id: Number(id), name };
}

/** Presents a delivery as members of one project see it: without what the message says about others. */
export function presentAlertDelivery(delivery: Delivery, projectId: number) {
  const { message } = delivery;
  const parts = message.parts.filter(({ project }) => project.id === projectId);
  return {
    id: delivery.id,
    to: presentDestination(delivery.destination, delivery.name),
    state: delivery.state,
    attempts: delivery.attempts,
    answer: delivery.answer,
    at: isoTime(delivery.at),
    kind: message.kind,
    created_at: isoTime(message.createdAt),
    counts: totalCounts(parts),
    errors: parts.flatMap(({ errors }) =>
      errors.map(({ fact, error }) => ({ id: error.id, title: error.title, fact })),
    ),
    note: message.note,
  };
}

function presentOutcome(outcome: FactOutcome) {
  return {
    id: outcome.messageId,
    to: presentDestination(outcome.destination, outcome.name),
    state: outcome.state,
    attempts: outcome.attempts,
    answer: outcome.answer,
    at: isoTime(outcome.at),
  };
}

/** Presents what happened to an error, and what was sent about it. */
export function presentErrorAlert({ fact, outcomes, silence }: FactHistory) {
  const { users, spike, threshold, reason } = fact.cause;
  return {
    fact: fact.kind,
    cause: {
      ...(users === undefined ? {} : { users }),
      ...(spike === undefined ? {} : { spike: { events: spike.events, mean: spike.mean } }),
      ...(threshold === undefined ? {} : { threshold: { events: threshold.events, minutes: threshold.minutes } }),
      ...(reason === undefined ? {} : { reason }),
    },
    at: isoTime(fact.at),
    release: fact.release,
    environment: fact.environment,
    silence,
    deliveries: outcomes.map(presentOutcome),
  };
}
