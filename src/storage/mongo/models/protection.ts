import { defineSchema } from './define-schema.ts';

/** What a project asks for beyond the configuration; a project that asks for nothing has none. */
export interface ProtectionDocument {
  /** The project's id. */
  readonly _id: number;
  readonly sensitiveFields: readonly string[];
  readonly scrubIps: boolean;
  /** Null: as configured. */
  readonly keyEventsPerMinute: number | null;
  readonly projectEventsPerMinute: number | null;
}

export const protectionSchema = defineSchema<ProtectionDocument>('protections', {
  _id: Number,
  sensitiveFields: [String],
  scrubIps: Boolean,
  keyEventsPerMinute: Number,
  projectEventsPerMinute: Number,
});
