import type { mongo } from 'mongoose';

/** Bucket of GridFS; its collections begin with the name. */
export const FILES_BUCKET = 'artifacts';

/** File of GridFS, as its specification names the members. */
export interface FileDocument {
  readonly _id: mongo.ObjectId;
  readonly filename: string;
  readonly length: number;
  readonly chunkSize: number;
  readonly uploadDate: Date;
}

/** Part of a file of GridFS. */
export interface FilePartDocument {
  readonly _id: mongo.ObjectId;
  readonly files_id: mongo.ObjectId;
  readonly n: number;
  readonly data: mongo.Binary;
}
