import type { IngestAccess } from '../../../domain/ports/tracking-store.ts';
import type { MongoContext } from '../context.ts';
import { reading } from '../operation-options.ts';
import { listProtections } from './protection-views.ts';

/** Milliseconds that the whole list may take the server. */
const LIST_LIMIT_MS = 30_000;

/** The version is read before the rows: what changes in between has another one. */
export async function ingestAccess(context: MongoContext, known: string | null): Promise<IngestAccess | null> {
  const { collections } = context;
  const version = await ingestVersion(context);
  if (version === known) return null;
  const limit = { maxTimeMS: LIST_LIMIT_MS };
  const sending = await collections.settings
    .find({ active: true, integrated: true }, { ...reading('ingest.projects', { _id: 1 }), ...limit })
    .toArray();
  const ofThem = { projectId: { $in: sending.map(({ _id }) => _id) }, active: true };
  const [keys, aliases, protections] = await Promise.all([
    collections.clientKeys
      .find(ofThem, { ...reading('ingest.keys', { projectId: 1, publicKey: 1 }), ...limit })
      .sort({ _id: 1 })
      .toArray(),
    collections.aliases
      .find({}, { ...reading('aliases.list'), ...limit })
      .sort({ _id: 1 })
      .toArray(),
    listProtections(context),
  ]);
  return {
    version,
    keys: keys.map(({ _id, projectId, publicKey }) => ({ id: _id, projectId, publicKey })),
    aliases: aliases.map(({ _id, projectId }) => [_id, projectId] as const),
    protections,
  };
}

/** Another one after every change that was told, and once more when an announced one is no longer under way. */
async function ingestVersion({ collections, now }: MongoContext): Promise<string> {
  const found = await collections.control.findOne(
    { _id: 'ingest' },
    reading('ingest.version', { version: 1, until: 1 }),
  );
  return `${found?.version ?? 0}${(found?.until ?? 0) > now() ? '+' : ''}`;
}
