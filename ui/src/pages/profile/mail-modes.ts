import type { MailMode } from '../../api/alert-settings-api.ts';

/** What people can get by mail. */
export const MAIL_MODES: readonly { readonly mode: MailMode; readonly label: string; readonly hint: string }[] = [
  { mode: 'all', label: 'All alerts', hint: 'What the rules of your projects report.' },
  { mode: 'mine', label: 'Only mine', hint: 'Errors that are assigned to you.' },
  { mode: 'off', label: 'Off', hint: 'No mail.' },
];
