import type { Model, mongo } from 'mongoose';
import { retryConflicts } from './retry-conflicts.ts';

/**
 * The driver's collection behind a model. Writes go through it: mongoose's own strip members that a schema
 * does not name and skip operations that it cannot cast, without a word. A write of one document that the
 * server gives up for another one is sent again.
 */
export function raw<T extends mongo.Document>(model: Model<T>): mongo.Collection<T> {
  return retryConflicts(model.collection as unknown as mongo.Collection<T>);
}
