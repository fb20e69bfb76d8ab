import type { NormalisedEvent } from '../../../../domain/events/event.ts';
import type { ValueRule } from '../v1/exceptions.ts';
import { defaultComponent } from '../v1/default-component.ts';
import { groupV1, keyOfText, textToGroup } from '../v1/group.ts';
import { commonComponent } from './common-errors.ts';
import { inKnownForm } from './known-form.ts';
import { countsBesideStack } from './value-beside-stack.ts';

/** Grouping key of an event under the rules of version 2, which are frozen. */
export interface GroupingV2 {
  /** First version that can give this key. Most keys of version 1 are those of version 2 as well. */
  readonly version: 1 | 2;
  /** 32 lower-case hex digits, a pure function of the event. */
  readonly key: string;
  /** Key of version 1 where it differs. */
  readonly former?: readonly [{ readonly version: 1; readonly key: string }];
}

/** Part of an exception that version 1 never writes. */
const NEEDS_VERSION_2 = /(?:^|\0)X?W/;

/**
 * Groups an event by the rules of version 1, with three additions. Errors with many texts for one fault have one key;
 * generated names and ids that version 1 did not recognise are replaced; where neither type nor place tells errors
 * apart, the value counts beside the stack.
 */
export function groupV2(event: NormalisedEvent): GroupingV2 {
  const state = { changed: false };
  const valueRule: ValueRule = (exception, platform, variant) => {
    const counts = countsBesideStack(exception, platform, variant);
    state.changed ||= counts;
    return counts;
  };
  const text = textToGroup(event, () => {
    const common = commonComponent(event);
    const known = common === null ? inKnownForm(event) : event;
    state.changed ||= common !== null || known !== event;
    return common ?? defaultComponent(known, valueRule);
  });
  const key = keyOfText(text);
  if (!state.changed) return { version: 1, key };
  const version = NEEDS_VERSION_2.test(text) ? 2 : 1;
  const former = groupV1(event);
  return former.key === key ? { version, key } : { version, key, former: [former] };
}
