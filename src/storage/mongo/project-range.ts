import { mongo } from 'mongoose';

const PROJECT_BYTES = 4;

/**
 * The `_id`s of a project in a collection whose keys have `keyBytes` bytes: binary values of other lengths
 * sort elsewhere.
 */
export function projectRange(projectId: number, keyBytes: number): { $gte: mongo.Binary; $lte: mongo.Binary } {
  const bound = (fill: number) => {
    const bytes = Buffer.alloc(keyBytes, fill);
    bytes.writeUInt32BE(projectId, 0);
    return new mongo.Binary(bytes);
  };
  if (keyBytes <= PROJECT_BYTES) throw new RangeError('keys are longer than the project in front of them');
  return { $gte: bound(0), $lte: bound(0xff) };
}
