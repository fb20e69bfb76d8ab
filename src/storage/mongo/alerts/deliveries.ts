import type { Delivery } from '../../../domain/alerts/alert-delivery.ts';
import type { DeliveryQuery } from '../../../domain/ports/stores/alert-store.ts';
import { deliveryWithoutRemovedProjects } from '../../alerts/kept-projects.ts';
import { memberKey } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { levelsOf, type ProjectAndUser } from '../projects/roles.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { retryFirstUpsert } from '../engine/retry-duplicates.ts';
import { FAILED, type DeliveryDocument } from '../documents/alert-documents.ts';
import { MAX_DELIVERIES_AROUND } from '../../limits.ts';

/** Leaves out parts of removed projects. */
export async function saveDelivery(context: MongoContext, delivery: Delivery): Promise<void> {
  const { projects } = context.collections;
  const found = await projects
    .find({ _id: { $in: [...delivery.projectIds] } }, reading('projects.existing', { _id: 1 }))
    .toArray();
  const existing = new Set(found.map(({ _id }) => _id));
  await putDelivery(
    context,
    deliveryWithoutRemovedProjects(delivery, (id) => existing.has(id)),
    delivery.id,
  );
}

/** Replaces a delivery; null removes it. */
async function putDelivery({ collections }: MongoContext, delivery: Delivery | null, _id: string): Promise<void> {
  const { alertDeliveries } = collections;
  if (delivery === null) {
    await alertDeliveries.deleteOne({ _id }, writing('deliveries.remove'));
    return;
  }
  const { _id: _key, ...members } = deliveryDocument(delivery);
  const options = () => ({ ...writing('deliveries.save'), upsert: true });
  await retryFirstUpsert(() => alertDeliveries.replaceOne({ _id }, members, options()));
}

export function deliveryDocument({ id, ...delivery }: Delivery): DeliveryDocument {
  const [first, last] = [delivery.facts[0]?.[0], delivery.facts.at(-1)?.[1]];
  return {
    _id: id,
    ...delivery,
    projectIds: [...new Set(delivery.projectIds)],
    ...(first === undefined || last === undefined ? {} : { first, last }),
  };
}

export async function deliveryById({ collections }: MongoContext, id: string): Promise<Delivery | null> {
  const row = await collections.alertDeliveries.findOne({ _id: id }, reading('deliveries.by_id'));
  return row === null ? null : toDelivery(row);
}

export async function listDeliveries({ collections }: MongoContext, query: DeliveryQuery): Promise<Delivery[]> {
  const { projectId, destination, limit, after } = query;
  const { alertDeliveries } = collections;
  const place =
    after === null
      ? null
      : await alertDeliveries.findOne({ _id: after }, reading('deliveries.by_id', { at: 1, projectIds: 1 }));
  if (after !== null && place?.projectIds.includes(projectId) !== true) return [];
  const behind =
    place === null ? {} : { at: { $lte: place.at }, $or: [{ at: { $lt: place.at } }, { _id: { $lt: place._id } }] };
  const rows = await alertDeliveries
    .find(
      { projectIds: projectId, ...(destination === null ? {} : { destination }), ...behind },
      reading('deliveries.list'),
    )
    .sort({ at: -1, _id: -1 })
    .limit(limit)
    .toArray();
  return rows.map(toDelivery);
}

export async function deliveriesAround(
  { collections }: MongoContext,
  projectId: number,
  seq: number,
): Promise<Delivery[]> {
  const rows = await collections.alertDeliveries
    .find({ projectIds: projectId, first: { $lte: seq }, last: { $gte: seq } }, reading('deliveries.around'))
    .sort({ at: -1, _id: -1 })
    .limit(MAX_DELIVERIES_AROUND)
    .toArray();
  return rows.map(toDelivery);
}

export async function failedDeliveries(context: MongoContext, projectId: number | null): Promise<number> {
  const { alertDeliveries, alertChannels } = context.collections;
  const failed = { ...FAILED, 'message.kind': { $ne: 'test' } } as const;
  const filter = projectId === null ? failed : { ...failed, projectIds: projectId };
  const rows = await alertDeliveries
    .find(filter, reading('deliveries.count_failed', { destination: 1, projectIds: 1 }))
    .toArray();
  if (rows.length === 0) return 0;
  const channelIds = new Set(rows.flatMap(({ destination }) => idsIn(destination, 'channel:')));
  const [channels, levels] = await Promise.all([
    alertChannels.find({ _id: { $in: [...channelIds] } }, reading('alert_channels.by_id', { _id: 1 })).toArray(),
    levelsOf(context, rows.flatMap(membershipsOf)),
  ]);
  const known = new Set<number | string>([...channels.map(({ _id }) => _id), ...levels.keys()]);
  const needs = (row: FailedRow) => [
    ...idsIn(row.destination, 'channel:'),
    ...membershipsOf(row).map(({ projectId: p, userId }) => memberKey(p, userId)),
  ];
  return rows.filter((row) => needs(row).length > 0 && needs(row).every((key) => known.has(key))).length;
}

type FailedRow = Pick<DeliveryDocument, 'destination' | 'projectIds'>;

function idsIn(destination: Delivery['destination'], prefix: 'channel:' | 'user:'): number[] {
  return destination.startsWith(prefix) ? [Number(destination.slice(prefix.length))] : [];
}

/** Returns the memberships that a message to a person needs; none for channels and messages about no project. */
function membershipsOf({ destination, projectIds }: FailedRow): ProjectAndUser[] {
  return idsIn(destination, 'user:').flatMap((userId) => projectIds.map((projectId) => ({ projectId, userId })));
}

/** Maximum deliveries that one slice of a removal reads: each has a whole message. */
const SWEPT = 200;

/** Removes a slice of what deliveries say of a removed project; true when nothing is left. */
export async function sweepDeliveries(context: MongoContext, projectId: number): Promise<boolean> {
  const rows = await context.collections.alertDeliveries
    .find({ projectIds: projectId }, reading('deliveries.of_project'))
    .limit(SWEPT)
    .toArray();
  for (const row of rows) {
    await putDelivery(
      context,
      deliveryWithoutRemovedProjects(toDelivery(row), (id) => id !== projectId),
      row._id,
    );
  }
  return rows.length < SWEPT;
}

function toDelivery({ _id, first: _first, last: _last, ...delivery }: DeliveryDocument): Delivery {
  return { id: _id, ...delivery };
}
