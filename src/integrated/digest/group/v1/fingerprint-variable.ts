import type { EventException, Frame, NormalisedEvent } from '../../../../domain/events/event.ts';
import { countingThread } from './threads.ts';

/** Returns the name inside `{{ name }}`, blanks around it optional; null when the entry is plain text. */
export function variableName(entry: string): string | null {
  const text = entry.trim();
  if (!text.startsWith('{{') || !text.endsWith('}}') || text.length < 5) return null;
  const name = text.slice(2, -2).trim();
  return name === '' || /[{}]/.test(name) ? null : name;
}

/** Returns the variable's value in this event, or a placeholder that names what is missing. */
export function resolveVariable(name: string, event: NormalisedEvent): string {
  switch (name) {
    case 'transaction':
      return event.transaction || '<no-transaction>';
    case 'message':
      return event.message || event.logentry?.message || lastException(event)?.value || '<no-message>';
    case 'type':
    case 'error.type':
      return lastException(event)?.type || '<no-type>';
    case 'value':
    case 'error.value':
      return lastException(event)?.value || '<no-value>';
    case 'function':
    case 'stack.function':
      return crashFrame(event)?.function || '<no-function>';
    case 'path':
    case 'stack.abs_path':
      return crashFrame(event)?.abs_path || crashFrame(event)?.filename || '<no-abs-path>';
    case 'stack.filename':
      return crashFrame(event)?.filename || crashFrame(event)?.abs_path || '<no-filename>';
    case 'module':
    case 'stack.module':
      return crashFrame(event)?.module || '<no-module>';
    case 'package':
    case 'stack.package':
      return lastPathPart(crashFrame(event)?.package) || '<no-package>';
    case 'level':
      return event.level;
    case 'logger':
      return event.logger || '<no-logger>';
    default:
      return name.startsWith('tags.') ? tagValue(name.slice(5), event) : `<unrecognized-variable-${name}>`;
  }
}

function lastException(event: NormalisedEvent): EventException | undefined {
  return event.exceptions.at(-1);
}

/** Returns the last application frame, else the last frame, of the last exception or else of the counting thread. */
function crashFrame(event: NormalisedEvent): Frame | undefined {
  const frames = lastException(event)?.frames ?? countingThread(event.threads)?.frames ?? [];
  return frames.findLast((frame) => frame.in_app) ?? frames.at(-1);
}

function lastPathPart(path: string | null | undefined): string {
  return path ? path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1) : '';
}

/** Returns a tag of the event, else a field that pages show as a tag, else a placeholder. */
function tagValue(key: string, event: NormalisedEvent): string {
  const tag = event.tags.find((candidate) => candidate.key === key);
  return tag?.value || fieldAsTag(key, event) || `<no-value-for-tag-${key}>`;
}

function fieldAsTag(key: string, event: NormalisedEvent): string | null {
  switch (key) {
    case 'environment':
      return event.environment;
    case 'release':
      return event.release;
    case 'dist':
      return event.dist;
    case 'level':
      return event.level;
    case 'logger':
      return event.logger;
    case 'server_name':
      return event.server_name;
    case 'transaction':
      return event.transaction;
    case 'url':
      return event.request?.url ?? null;
    default:
      return null;
  }
}
