import { AppError } from '../../domain/app-error.ts';
import type { SourceKind } from '../../domain/imports/import.ts';
import type { TrackingSettings } from '../../domain/projects/tracking-settings.ts';
import { parseApiUrl } from '../../thirdparty/http/api-url.ts';
import type { TokenCipher } from '../../thirdparty/secrets/encrypted-token.ts';
import { runKey } from '../state/run-state.ts';

/** Project of a tracker that a project here is linked to. */
export interface LinkedTracker {
  /** Key of the run that imports it. */
  readonly runKey: string;
  readonly url: string;
  readonly organization: string;
  readonly slug: string;
  /** Null: unknown. */
  readonly kind: SourceKind | null;
  /** Tells one token from another. */
  readonly sealedToken: string;
  readonly token: () => string;
}

/** Reads the link of a project from its settings; null without a complete one. */
export function linkedTracker(
  cipher: Pick<TokenCipher, 'decrypt'>,
  settings: TrackingSettings | null,
): LinkedTracker | null {
  const parts = parseApiUrl(settings?.apiUrl ?? null);
  const { sealedToken = null, projectId = 0, tracker = null } = settings ?? {};
  const { organization = null, project = null } = parts ?? {};
  if (parts === null || organization === null || project === null || sealedToken === null) return null;
  const kind = tracker?.base === parts.base && tracker.kind !== 'unknown' ? tracker.kind : null;
  return {
    runKey: runKey(parts.base, organization, project),
    url: parts.base,
    organization,
    slug: project,
    kind,
    sealedToken,
    token: () => cipher.decrypt(sealedToken, projectId),
  };
}

/** As `linkedTracker`; throws `bad_request` without a complete link. */
export function requireLinkedTracker(
  cipher: Pick<TokenCipher, 'decrypt'>,
  settings: TrackingSettings | null,
): LinkedTracker {
  const link = linkedTracker(cipher, settings);
  if (link !== null) return link;
  throw new AppError(
    'bad_request',
    'the project is not linked to a tracker: enter its address, an auth token and the project in the settings first',
  );
}
