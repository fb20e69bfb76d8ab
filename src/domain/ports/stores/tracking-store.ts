import type {
  ProtectionOverrides,
  ProtectionOverridesPatch,
  ProjectProtection,
} from '../../ingest/protection-overrides.ts';
import type { ClientKey, TrackingSettings, TrackingSettingsPatch } from '../../projects/tracking-settings.ts';

/** Client key with the time of its last use. */
export interface KeyUse {
  readonly keyId: number;
  readonly usedAt: number;
}

/** Consistent snapshot of keys, aliases and protection for ingestion. */
export interface IngestAccess {
  /** Changes with every change of a key, settings, an alias, protection overrides or a forward. */
  readonly version: string;
  /** Active keys of the projects whose tracking is active and integrated. */
  readonly keys: readonly Pick<ClientKey, 'id' | 'projectId' | 'publicKey'>[];
  /** Aliases of projects. */
  readonly aliases: readonly (readonly [projectId: number, alias: string])[];
  /** Protection overrides of projects, by id; without projects that have none. */
  readonly protections: readonly ProjectProtection[];
  /** Projects with a forward, by id, and the time until which they forward; null: no end. */
  readonly forwards: readonly (readonly [projectId: number, until: number | null])[];
}

/** Error tracking settings, protection overrides and client keys of projects. */
export interface TrackingStore {
  settings(projectId: number): Promise<TrackingSettings | null>;
  /** Creates a missing row (inactive, integrated, everything else null), then applies the patch. */
  saveSettings(projectId: number, patch: TrackingSettingsPatch): Promise<TrackingSettings>;
  /**
   * Replaces the encrypted token by another encryption of it; false without a change when `before` is no longer stored.
   */
  replaceEncryptedToken(projectId: number, before: string, after: string): Promise<boolean>;

  /** Returns the protection overrides of the project; null for none. */
  protection(projectId: number): Promise<ProtectionOverrides | null>;
  /** Applies the patch to the stored or default overrides; removes the row when nothing is left. */
  saveProtection(projectId: number, patch: ProtectionOverridesPatch): Promise<ProtectionOverrides>;
  /** Lists the protection overrides of all projects, by project id. */
  listProtections(): Promise<ProjectProtection[]>;

  /** Throws `conflict` when the public key is in use anywhere. */
  createKey(projectId: number, publicKey: string): Promise<ClientKey>;
  /** By id, ascending. */
  listKeys(projectId: number): Promise<ClientKey[]>;
  keyById(projectId: number, keyId: number): Promise<ClientKey | null>;
  keyByPublicKey(publicKey: string): Promise<ClientKey | null>;
  setKeyActive(projectId: number, keyId: number, active: boolean): Promise<ClientKey | null>;
  /** Returns the deleted key; null when there is none. */
  deleteKey(projectId: number, keyId: number): Promise<ClientKey | null>;
  /** Updates the last use of keys; ignores earlier times and unknown keys. */
  touchKeys(uses: readonly KeyUse[]): Promise<void>;
  /** Creates a key only when the project has no active one; null otherwise. */
  ensureActiveKey(projectId: number, publicKey: string): Promise<ClientKey | null>;

  /**
   * Returns the snapshot for ingestion, or null when its version is still `known`. Every gateway calls it every second,
   * so the null must be cheap. A null `known` always returns the snapshot.
   */
  ingestAccess(known: string | null): Promise<IngestAccess | null>;
}
