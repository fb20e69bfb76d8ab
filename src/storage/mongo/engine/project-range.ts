import { mongo } from 'mongoose';

const PROJECT_BYTES = 4;

/**
 * Returns the range of a project's `_id`s in a collection with keys of `keyBytes` bytes. Binary values of other lengths
 * sort elsewhere.
 */
export function projectRange(projectId: number, keyBytes: number): { $gte: mongo.Binary; $lte: mongo.Binary } {
  const bound = (fill: number) => {
    const bytes = Buffer.alloc(keyBytes, fill);
    bytes.writeUInt32BE(projectId, 0);
    return new mongo.Binary(bytes);
  };
  if (keyBytes <= PROJECT_BYTES) throw new RangeError('keys must be longer than the project id that they begin with');
  return { $gte: bound(0), $lte: bound(0xff) };
}
