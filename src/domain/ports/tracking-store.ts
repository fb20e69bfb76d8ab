import type { OwnProtection, OwnProtectionPatch, ProjectProtection } from '../own-protection.ts';
import type { ClientKey, TrackingSettings, TrackingSettingsPatch } from '../tracking-settings.ts';

/** A client key, and when it was last used. */
export interface KeyUse {
  readonly keyId: number;
  readonly usedAt: number;
}

/** Who may send, and what protects them, as of one instant. */
export interface IngestAccess {
  /** Another one after every change of a key, of settings, of an alias or of what a project asks for itself. */
  readonly version: string;
  /** Active keys of the projects whose tracking is active and integrated. */
  readonly keys: readonly Pick<ClientKey, 'id' | 'projectId' | 'publicKey'>[];
  /** Ids that stand for a project in DSNs brought along. */
  readonly aliases: readonly (readonly [aliasId: number, projectId: number])[];
  /** What projects ask for themselves, by their ids; of those that ask for something. */
  readonly protections: readonly ProjectProtection[];
}

/** Error tracking settings, own protection and client keys of projects. */
export interface TrackingStore {
  settings(projectId: number): Promise<TrackingSettings | null>;
  /** Creates the row when absent (inactive, integrated, everything else null), then applies the patch. */
  saveSettings(projectId: number, patch: TrackingSettingsPatch): Promise<TrackingSettings>;
  /** Puts another encryption of the same token in place; false, and nothing is changed, when `before` no longer stands there. */
  replaceSealedToken(projectId: number, before: string, after: string): Promise<boolean>;

  /** What the project asks for itself; null when that is nothing. */
  protection(projectId: number): Promise<OwnProtection | null>;
  /** Applies the patch to what is stored, or to a project that asks for nothing; what is nothing then is removed. */
  saveProtection(projectId: number, patch: OwnProtectionPatch): Promise<OwnProtection>;
  /** All of them, by project id. */
  listProtections(): Promise<ProjectProtection[]>;

  /** Throws `conflict` when the public key is in use anywhere. */
  createKey(projectId: number, publicKey: string): Promise<ClientKey>;
  /** By id, ascending. */
  listKeys(projectId: number): Promise<ClientKey[]>;
  keyById(projectId: number, keyId: number): Promise<ClientKey | null>;
  keyByPublicKey(publicKey: string): Promise<ClientKey | null>;
  setKeyActive(projectId: number, keyId: number, active: boolean): Promise<ClientKey | null>;
  /** The key as it was; null when there is none. */
  deleteKey(projectId: number, keyId: number): Promise<ClientKey | null>;
  /** Says when keys were last used; earlier times than the known ones, and unknown keys, change nothing. */
  touchKeys(uses: readonly KeyUse[]): Promise<void>;
  /** Creates a key only where the project has no active one; null when it had. */
  ensureActiveKey(projectId: number, publicKey: string): Promise<ClientKey | null>;

  /**
   * Who may send, and what protects them; null while that is what the `known` version said. Asked every second by every gateway, so
   * the null must be cheap. A null `known` is always answered in full.
   */
  ingestAccess(known: string | null): Promise<IngestAccess | null>;
}
