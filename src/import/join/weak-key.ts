import type { NormalisedEvent } from '../../domain/events/event.ts';
import { variableName } from '../../integrated/digest/group/v1/fingerprint-variable.ts';

/**
 * Returns true when a group key is made of a message, of a value or of nothing: such keys differ by chance and agree by
 * chance, so they join one issue only. `scrubbed`: the tracker replaced values, so frames without names prove nothing.
 */
export function isWeakKey(event: NormalisedEvent, scrubbed: boolean): boolean {
  const usesDefault = event.fingerprint.every(isDefault) || event.fingerprint.some(isDefault);
  if (!usesDefault || event.security_report !== undefined) return false;
  if (event.exceptions.every((exception) => exception.type === null || exception.mechanism?.synthetic === true)) {
    return true;
  }
  const frames = event.exceptions.flatMap((exception) => exception.frames ?? []);
  return scrubbed ? !frames.some(({ function: name }) => name !== null) : frames.length === 0;
}

function isDefault(entry: string): boolean {
  return entry === '{{ default }}' || variableName(entry) === 'default';
}
