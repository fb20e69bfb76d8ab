import type { Model, mongo } from 'mongoose';

/**
 * The driver's collection behind a model. Writes go through it: mongoose's own strip members that a schema
 * does not name and skip operations that it cannot cast, without a word.
 */
export function raw<T extends mongo.Document>(model: Model<T>): mongo.Collection<T> {
  return model.collection as unknown as mongo.Collection<T>;
}
