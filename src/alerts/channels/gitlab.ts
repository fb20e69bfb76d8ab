import type { AlertMessage, NamedError } from '../../domain/alerts/alert-message.ts';
import type { Level } from '../../domain/events/event.ts';
import { cutText } from '../../lib/text/clean-text.ts';
import { codeSpan, markdownText, MAX_DETAIL, plainText, withoutMentions } from '../event-text.ts';
import { type ErrorWords, type MessageWords, moreInWords, type PartWords } from '../words.ts';
import { fitted, namedOf } from './fit.ts';

/** Characters that GitLab keeps of a title. */
const MAX_TITLE = 200;
/** Characters that GitLab keeps of a description. */
const MAX_DESCRIPTION = 1000;
/** Characters that GitLab keeps of a service. */
const MAX_SERVICE = 100;

const SEVERITIES: Readonly<Record<Level, string>> = {
  fatal: 'critical',
  error: 'high',
  warning: 'medium',
  info: 'low',
  debug: 'info',
};

/** An incident made of the alert reads Markdown and quick actions, so text of events is in code spans. */
function errorLine(error: ErrorWords): string {
  const reason = error.reason === null ? '' : `, ${error.reason}`;
  const message = error.message === null ? '' : `: ${codeSpan(error.message)}`;
  return `- ${error.label}${reason}: ${codeSpan(error.title)}${message} (${error.size}) ${error.url}`;
}

function partLines(part: PartWords): string[] {
  const more = moreInWords(part, part.errors.length);
  const release = part.release === null ? '' : `, release ${codeSpan(part.release)}`;
  return [
    `${markdownText(part.headline)}${release}: ${part.url}`,
    ...part.errors.map(errorLine),
    ...(more === null ? [] : [more]),
  ];
}

function description(words: MessageWords, named: number): string {
  const note = words.note === null ? [] : [markdownText(words.note)];
  return [...note, ...namedOf(words.parts, named).flatMap(partLines)].join('\n');
}

/** Returns the only error that the message is about; null for several and for other kinds of messages. */
function onlyNamed({ kind, parts }: AlertMessage, words: MessageWords): NamedError | null {
  if (kind !== 'facts' || parts.length !== 1 || words.parts[0]?.total !== 1) return null;
  return parts[0]?.errors[0] ?? null;
}

/**
 * Body for the alert endpoint of GitLab. While an alert is open GitLab counts further ones with the same fingerprint:
 * that of the error, or of the message when it is about several.
 */
export function gitlabBody(message: AlertMessage, words: MessageWords): object {
  const only = onlyNamed(message, words);
  const [part] = message.parts;
  const environment = only?.environment ?? null;
  return {
    title: cutText(withoutMentions(words.subject), MAX_TITLE),
    description: cutText(
      fitted(
        words,
        (named) => description(words, named),
        (built) => built.length <= MAX_DESCRIPTION,
      ),
      MAX_DESCRIPTION,
    ),
    start_time: new Date(message.since).toISOString(),
    service: cutText(part?.project.path ?? 'errgate', MAX_SERVICE),
    monitoring_tool: 'errgate',
    severity: message.kind === 'facts' ? (words.level === null ? 'unknown' : SEVERITIES[words.level]) : 'info',
    fingerprint: only === null ? message.id : `errgate:${only.error.projectId}:${only.error.id}`,
    ...(environment === null ? {} : { gitlab_environment_name: plainText(environment, MAX_DETAIL) }),
  };
}
