import { isRecord } from '../../lib/own-property.ts';
import { filledText, listOf } from '../../thirdparty/map/values.ts';

type Members = Readonly<Record<string, unknown>>;

/** Texts that trackers make of a frame where an event has no transaction. */
function culpritsOf(frame: Members): string[] {
  const name = filledText(frame.function);
  return [frame.module, frame.filename, frame.abs_path].flatMap((place) => {
    const text = filledText(place);
    return text === null || name === null ? [] : [`${text} in ${name}`, `${name}(${text})`];
  });
}

const framesOf = (stacktrace: unknown): Members[] =>
  listOf(isRecord(stacktrace) ? stacktrace.frames : null).filter(isRecord);

/**
 * Returns true when the transaction of a stored event is the culprit that the tracker made of its newest frame or of the
 * address of its request. GlitchTip stores it so for events without a transaction.
 */
export function isCulprit(raw: Members): boolean {
  const transaction = filledText(raw.transaction);
  if (transaction === null) return false;
  if (isRecord(raw.request) && raw.request.url === transaction) return true;
  const owners = listOf(isRecord(raw.exception) ? raw.exception.values : raw.exception).filter(isRecord);
  const stacks = [...owners.map(({ stacktrace }) => stacktrace), raw.stacktrace];
  return stacks.some((stack) => framesOf(stack).some((frame) => culpritsOf(frame).includes(transaction)));
}
