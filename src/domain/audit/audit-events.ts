/**
 * Names of what the audit log has. A route, a command or a sign-in gives one of them. A name that was written stays:
 * clients filter by it.
 */
export const AUDIT_EVENTS = [
  'signed_in',
  'sign_in_refused',
  'signed_out',
  'signed_out_everywhere',
  'session_ended',
  'password_changed',
  'access_refused',
  'user_created',
  'user_changed',
  'user_blocked',
  'user_unblocked',
  'token_created',
  'token_revoked',
  'project_created',
  'project_changed',
  'project_deleted',
  'member_added',
  'member_changed',
  'member_removed',
  'settings_changed',
  'client_key_created',
  'client_key_changed',
  'client_key_deleted',
  'protection_changed',
  'forwarding_changed',
  'forwarding_ended',
  'links_changed',
  'alert_rules_changed',
  'alert_channel_created',
  'alert_channel_changed',
  'alert_channel_deleted',
  'errors_deleted',
  'discarded_error_restored',
  'upload_deleted',
  'import_started',
  'import_cancelled',
] as const;

export type AuditEventName = (typeof AUDIT_EVENTS)[number];
