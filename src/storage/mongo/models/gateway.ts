import { defineSchema } from './define-schema.ts';

/** A running service that says now and then that it lives; removed when it ends in order. */
export interface GatewayDocument {
  /** Random, made by the process. */
  readonly _id: string;
  /** Version of its program. */
  readonly v: string;
  /** When it last said so, by its own clock; milliseconds since the epoch. */
  readonly seen: number;
  /** The same moment by the server's clock. */
  readonly at: Date;
}

export const gatewaySchema = defineSchema<GatewayDocument>('gateways', {
  _id: String,
  v: String,
  seen: Number,
  at: Date,
});
