import type { Config } from '../../config/schema.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { IdentityProvider } from '../auth/sign-on/identity-provider.ts';
import { ProviderSignOut } from '../auth/sign-on/provider-sign-out.ts';
import { SessionCheck } from '../auth/sign-on/session-check.ts';
import { SignOnAccounts } from '../auth/sign-on/sign-on-accounts.ts';
import type { SignOnSettings } from '../auth/sign-on/sign-on-settings.ts';
import { SignOn } from '../auth/sign-on/sign-on.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Seal } from '../domain/ports/seal.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { SignOnDeps } from '../gateway/http/route-deps.ts';
import type { Logger } from '../observability/logger.ts';
import { createAccountLog, createRoleLog } from './sign-on-audit.ts';

export interface SignOnParts {
  readonly store: Store;
  readonly auditTrail: Pick<AuditTrail, 'record' | 'around'>;
  readonly cookies: Seal;
  readonly grants: Seal;
  readonly externalUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SignOnSide extends SignOnDeps {
  readonly check: SessionCheck;
}

/** Returns the settings of the provider; null where none is configured. */
export function signOnSettings({ oidc }: Pick<Config, 'oidc'>): SignOnSettings | null {
  const { issuer, clientId } = oidc;
  if (issuer === null || clientId === null) return null;
  return { ...oidc, issuer, clientId, name: oidc.name ?? new URL(issuer).host };
}

/** Creates sign-in with the provider. Asks it for nothing yet, so the service starts while it is away. */
export function createSignOnSide(settings: SignOnSettings, parts: SignOnParts): SignOnSide {
  const provider = new IdentityProvider({ settings, clock: parts.clock });
  const roleLog = createRoleLog(parts.store, parts.auditTrail);
  const accounts = new SignOnAccounts({ ...parts, settings, roleLog, accountLog: createAccountLog(parts.auditTrail) });
  return {
    flow: new SignOn({ ...parts, settings, provider, accounts }),
    signOut: new ProviderSignOut({ ...parts, settings, provider }),
    check: new SessionCheck({ ...parts, settings, provider, accounts }),
  };
}
