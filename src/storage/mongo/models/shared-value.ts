import { defineSchema } from './define-schema.ts';

/** A small value that all gateways share. */
export interface SharedValueDocument {
  readonly _id: string;
  readonly value: string;
}

export const sharedValueSchema = defineSchema<SharedValueDocument>('meta', { _id: String, value: String });
