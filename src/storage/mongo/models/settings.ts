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
  },
  [{ name: 'by_use', key: { active: 1, integrated: 1 } }],
);
