import { hash } from 'node:crypto';
import type { NormalisedEvent } from '../../../../domain/events/event.ts';
import { part, TAGS } from './component.ts';
import { defaultComponent } from './default-component.ts';
import { resolveVariable, variableName } from './fingerprint-variable.ts';

/** Grouping key of an event under the rules of version 1, which are frozen. */
export interface GroupingV1 {
  readonly version: 1;
  /** 32 lower-case hex digits, a pure function of the event. */
  readonly key: string;
}

/**
 * Groups an event: events with equal keys are one error. The SDK's fingerprint decides when it is more
 * than `{{ default }}`; together with other entries `{{ default }}` stands for the default grouping.
 */
export function groupV1(event: NormalisedEvent): GroupingV1 {
  return { version: 1, key: keyOfText(textToGroup(event, defaultComponent)) };
}

/** Returns the text of everything that contributes; `defaultOf` gives the default grouping. */
export function textToGroup(event: NormalisedEvent, defaultOf: (event: NormalisedEvent) => string): string {
  return isDefault(event.fingerprint) ? defaultOf(event) : fingerprintComponent(event, defaultOf);
}

export function keyOfText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

function isDefault(fingerprint: readonly string[]): boolean {
  return fingerprint.every((entry) => entry === '{{ default }}' || variableName(entry) === 'default');
}

function fingerprintComponent(event: NormalisedEvent, defaultOf: (event: NormalisedEvent) => string): string {
  let component = '';
  for (const entry of event.fingerprint) {
    const name = variableName(entry);
    if (name === null) component += part(TAGS.fingerprint, entry);
    else if (name === 'default') component += defaultOf(event);
    else component += part(TAGS.fingerprint, resolveVariable(name, event));
  }
  return component;
}
