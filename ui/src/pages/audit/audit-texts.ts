import type { AuditEvent, AuditEventName, AuditOutcome } from '../../api/audit-api.ts';
import { visibleText } from '../../lib/visible-text.ts';

/** What each event is, for people. A new one needs its words here. */
export const AUDIT_EVENTS: Readonly<Record<AuditEventName, string>> = {
  signed_in: 'Signed in',
  sign_in_refused: 'Sign-in refused',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out everywhere',
  session_ended: 'Session ended',
  second_factor_enabled: 'Second factor turned on',
  second_factor_disabled: 'Second factor turned off',
  second_factor_reset: 'Second factor reset',
  identity_connected: 'Account of the identity provider connected',
  recovery_codes_renewed: 'Recovery codes renewed',
  identity_disconnected: 'Account at a provider disconnected',
  password_changed: 'Password changed',
  access_refused: 'Change refused',
  user_created: 'User created',
  user_changed: 'User changed',
  user_blocked: 'User blocked',
  user_unblocked: 'User unblocked',
  token_created: 'Token created',
  token_revoked: 'Token revoked',
  group_created: 'Group created',
  group_changed: 'Group changed',
  group_deleted: 'Group deleted',
  project_created: 'Project created',
  project_changed: 'Project changed',
  project_deleted: 'Project deleted',
  member_added: 'Member added',
  member_changed: 'Member changed',
  member_removed: 'Member removed',
  invitation_created: 'Invitation created',
  invitation_changed: 'Invitation changed',
  invitation_renewed: 'Invitation renewed',
  invitation_withdrawn: 'Invitation withdrawn',
  invitation_accepted: 'Invitation accepted',
  settings_changed: 'Settings changed',
  client_key_created: 'Client key created',
  client_key_changed: 'Client key changed',
  client_key_deleted: 'Client key deleted',
  protection_changed: 'Protection changed',
  forwarding_changed: 'Forwarding changed',
  forwarding_ended: 'Forwarding ended',
  links_changed: 'Links changed',
  issue_hook_changed: 'Webhook of issues changed',
  alert_rules_changed: 'Alert rules changed',
  alert_channel_created: 'Alert channel created',
  alert_channel_changed: 'Alert channel changed',
  alert_channel_deleted: 'Alert channel deleted',
  errors_deleted: 'Errors deleted',
  error_changed_by_agent: 'Error changed by an agent',
  discarded_error_restored: 'Discarded error restored',
  upload_deleted: 'Upload deleted',
  import_started: 'Import started',
  import_cancelled: 'Import cancelled',
  store_restored: 'Store restored from a backup',
  secret_key_rotated: 'Secret key rotated',
};

interface Shown {
  readonly text: string;
  /** Class of the badge. */
  readonly tone: string;
}

export const AUDIT_OUTCOMES: Readonly<Record<AuditOutcome, Shown>> = {
  done: { text: 'Done', tone: '' },
  failed: { text: 'Failed', tone: 'warning' },
  refused: { text: 'Refused', tone: 'danger' },
  started: { text: 'Outcome unknown', tone: 'warning' },
};

/** Names what was changed: `Member bob`. */
export function targetText({ details: { target_type: type, target_details: name } }: AuditEvent): string {
  return name === '' ? type : `${type} ${visibleText(name)}`;
}

/** Name of a value without the underscores of the API. */
export function valueName(name: string): string {
  return visibleText(name.replaceAll('_', ' '));
}
