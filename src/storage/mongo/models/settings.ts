import { Schema } from 'mongoose';
import type { FoundTracker } from '../../../domain/tracker-kind.ts';
import { defineSchema } from './define-schema.ts';

export interface SettingsDocument {
  /** The project's id. */
  readonly _id: number;
  readonly active: boolean;
  readonly integrated: boolean;
  readonly apiUrl: string | null;
  readonly projectName: string | null;
  readonly organizationName: string | null;
  readonly thirdpartyProjectId: string | null;
  readonly sealedToken: string | null;
  /** Absent in documents of earlier versions. */
  readonly tracker?: FoundTracker | null;
}

export const settingsSchema = defineSchema<SettingsDocument>(
  'settings',
  {
    _id: Number,
    active: Boolean,
    integrated: Boolean,
    apiUrl: String,
    projectName: String,
    organizationName: String,
    thirdpartyProjectId: String,
    sealedToken: String,
    tracker: Schema.Types.Mixed,
  },
  [{ name: 'by_use', key: { active: 1, integrated: 1 } }],
);
