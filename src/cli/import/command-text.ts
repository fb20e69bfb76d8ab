/** Advice of messages for the settings page and the service, and what it is for a command. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /enter a valid one in the settings/g,
    'create another one there, and set ERRGATE_IMPORT_TOKEN or name a file with --token-file',
  ],
  [/check address, organization and project in the settings/g, 'check --url, --org and --project'],
  [/choose it again in the settings/g, 'name it with --project'],
  [/ in the settings\b/g, ' with --url'],
  [/ask an operator to set (ERRGATE_OUTBOUND_ALLOW=\S+) and restart errgate/g, 'set $1 for this command'],
  [
    /ask an operator to allow this port with (ERRGATE_OUTBOUND_ALLOW=\S+) and restart errgate/g,
    'allow this port with $1 for this command',
  ],
];

/** Words a message of the tracker's client for a command, which has options instead of a settings page. */
export function commandText(message: string): string {
  return ADVICE.reduce((text, [pattern, advice]) => text.replace(pattern, advice), message);
}
