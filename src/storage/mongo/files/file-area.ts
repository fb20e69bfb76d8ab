import { pipeline } from 'node:stream/promises';
import { mongo } from 'mongoose';
import type { KnownFile, StoredFile } from '../../../domain/ports/stores/file-store.ts';
import { requireFileName } from '../../file-names.ts';
import { FILES_BUCKET, type FileDocument } from '../documents/file-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { MAJORITY, reading, writing } from '../engine/operation-options.ts';

/** Bytes of a part in the database. */
const PART_BYTES = 1024 * 1024;
/** Parts looked at together when those without a file are searched for. */
const PARTS_PAGE = 1000;

/** File area of MongoDB: GridFS. Two writers of one name may leave two equal files; the newest is read, both are removed. */
function bucketOf({ connection }: MongoContext): mongo.GridFSBucket {
  if (connection.db === undefined) throw new Error('the connection is not open');
  return new mongo.GridFSBucket(connection.db, { bucketName: FILES_BUCKET, writeConcern: MAJORITY });
}

export async function putFile(
  context: MongoContext,
  name: string,
  content: AsyncIterable<Uint8Array>,
  bytes?: number,
): Promise<number> {
  const { collections, now } = context;
  const former = await rowsOf(context, [name]);
  const [known] = await wholeOf(context, former.slice(0, 1));
  if (known !== undefined && known.length === (bytes ?? known.length)) {
    const update = { $set: { uploadDate: new Date(now()) } };
    const { matchedCount } = await collections.files.updateOne({ _id: known._id }, update, writing('files.renew'));
    // Without a match it was removed meanwhile.
    if (matchedCount > 0) return known.length;
  }
  const upload = bucketOf(context).openUploadStream(name, { chunkSizeBytes: PART_BYTES });
  // A part that is being written may fail after the content has.
  upload.on('error', () => undefined);
  try {
    await pipeline(content, upload);
  } catch (error) {
    await upload.abort().catch(() => undefined);
    throw error;
  }
  // The driver takes the time of this machine, where removals compare that of the store.
  await collections.files.updateOne(
    { _id: upload.id },
    { $set: { uploadDate: new Date(now()) } },
    writing('files.time'),
  );
  // Of a name that had a file its parts are damaged.
  for (const { _id } of former) await removeRow(context, { _id });
  return upload.length;
}

type FileRow = Pick<FileDocument, '_id' | 'filename' | 'length' | 'chunkSize' | 'uploadDate'>;

/** Returns the rows of files with these names, the newest first. */
async function rowsOf({ collections }: MongoContext, names: readonly string[]): Promise<FileRow[]> {
  const wanted = { filename: { $in: names.map(requireFileName) } };
  const rows = await collections.files.find(wanted, reading('files.known')).toArray();
  return rows.sort((a, b) => b.uploadDate.getTime() - a.uploadDate.getTime());
}

/** Returns those of the files whose parts are all there. */
async function wholeOf({ collections }: MongoContext, rows: readonly FileRow[]): Promise<FileRow[]> {
  const wanted = { files_id: { $in: rows.map(({ _id }) => _id) } };
  const parts = await collections.fileParts.find(wanted, reading('files.parts_of', { _id: 0, files_id: 1 })).toArray();
  const counts = new Map<string, number>();
  for (const { files_id: id } of parts) counts.set(id.toHexString(), (counts.get(id.toHexString()) ?? 0) + 1);
  return rows.filter(
    ({ _id, length, chunkSize }) => (counts.get(_id.toHexString()) ?? 0) === Math.ceil(length / chunkSize),
  );
}

/** Removes a file that meets a condition, and then its parts; false when none does. */
async function removeRow(
  { collections }: MongoContext,
  row: Pick<FileDocument, '_id'> & { readonly [member: string]: unknown },
): Promise<boolean> {
  const { deletedCount } = await collections.files.deleteOne(row, writing('files.remove'));
  if (deletedCount === 0) return false;
  await collections.fileParts.deleteMany({ files_id: row._id }, writing('files.remove_parts'));
  return true;
}

function newestOf({ collections }: MongoContext, name: string): Promise<Pick<FileDocument, '_id' | 'length'>[]> {
  return collections.files
    .find({ filename: requireFileName(name) }, reading('files.by_name', { _id: 1, length: 1 }))
    .sort({ uploadDate: -1 })
    .limit(1)
    .toArray();
}

export async function readFile(context: MongoContext, name: string): Promise<Uint8Array | null> {
  const [file] = await newestOf(context, name);
  if (file === undefined) return null;
  const parts: Uint8Array[] = [];
  try {
    for await (const part of contentOf(context, file)) parts.push(part);
  } catch (error) {
    // Its parts are gone or cut: the file is lost, the store is not.
    if (error instanceof mongo.MongoGridFSChunkError) return null;
    throw error;
  }
  const content = Buffer.concat(parts);
  // The driver ends without an error where the last parts are gone.
  return content.length === file.length ? content : null;
}

function contentOf(context: MongoContext, { _id }: Pick<FileDocument, '_id'>): AsyncIterable<Uint8Array> {
  return bucketOf(context).openDownloadStream(_id) as AsyncIterable<Uint8Array>;
}

export async function openFile(context: MongoContext, name: string): Promise<AsyncIterable<Uint8Array> | null> {
  const [file] = await newestOf(context, name);
  return file === undefined ? null : contentOf(context, file);
}

export async function knownFiles(context: MongoContext, names: readonly string[]): Promise<KnownFile[]> {
  const rows = await rowsOf(context, names);
  // The newest one is read, so it alone counts.
  const newest = new Map(rows.toReversed().map((row) => [row.filename, row]));
  const whole = new Map((await wholeOf(context, [...newest.values()])).map((row) => [row.filename, row.length]));
  return names.flatMap((name) => {
    const bytes = whole.get(name);
    return bytes === undefined ? [] : [{ name, bytes }];
  });
}

export async function renewFiles(context: MongoContext, names: readonly string[]): Promise<string[]> {
  const { collections, now } = context;
  const renewed = { $set: { uploadDate: new Date(now()) } };
  await collections.files.updateMany(
    { filename: { $in: names.map(requireFileName) } },
    renewed,
    writing('files.renew'),
  );
  // A removal that was decided before leaves those renewed, so what is found now stays.
  return (await knownFiles(context, names)).map(({ name }) => name);
}

export async function listFiles(
  { collections }: MongoContext,
  prefix: string,
  after: string | null,
  limit: number,
): Promise<StoredFile[]> {
  const from = after === null || after < prefix ? { $gte: prefix } : { $gt: after };
  const rows = await collections.files
    .find({ filename: { ...from, $lt: `${prefix}\u{10ffff}` } }, reading('files.list'))
    .sort({ filename: 1, uploadDate: 1 })
    .limit(limit)
    .toArray();
  // Of equal names the newest is last.
  const byName = new Map(rows.map((row) => [row.filename, row]));
  return [...byName.values()].map(({ filename, length, uploadDate }) => ({
    name: filename,
    bytes: length,
    putAt: uploadDate.getTime(),
  }));
}

export async function removeFile(context: MongoContext, name: string, notPutSince: number): Promise<boolean> {
  const { collections } = context;
  const old = { filename: requireFileName(name), uploadDate: { $lt: new Date(notPutSince) } };
  const rows = await collections.files.find(old, reading('files.to_remove', { _id: 1 })).toArray();
  let removed = false;
  for (const { _id } of rows) {
    // Written again meanwhile: it stays.
    if (await removeRow(context, { ...old, _id })) removed = true;
  }
  return removed;
}

/** A part is written before the row of its file, and removed after it. */
export async function removeUnfinished({ collections }: MongoContext, begunBefore: number): Promise<void> {
  // An id begins with the seconds at which its upload began.
  const before = mongo.ObjectId.createFromTime(Math.floor(begunBefore / 1000));
  let after: mongo.ObjectId | null = null;
  for (;;) {
    const some = { files_id: { $lt: before, ...(after !== null && { $gt: after }) } };
    const parts: { readonly files_id: mongo.ObjectId }[] = await collections.fileParts
      .find(some, reading('files.parts', { _id: 0, files_id: 1 }))
      .sort({ files_id: 1 })
      .limit(PARTS_PAGE)
      .toArray();
    const last = parts.at(-1);
    if (last === undefined) return;
    after = last.files_id;
    const ids = new Map(parts.map(({ files_id: id }) => [id.toHexString(), id]));
    const rows = collections.files.find({ _id: { $in: [...ids.values()] } }, reading('files.of_parts', { _id: 1 }));
    for (const { _id } of await rows.toArray()) ids.delete(_id.toHexString());
    for (const id of ids.values()) {
      await collections.fileParts.deleteMany({ files_id: id }, writing('files.remove_parts'));
    }
  }
}
