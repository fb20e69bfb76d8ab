import type { EventException, EventThread, Frame, NormalisedEvent } from '../../../../domain/events/event.ts';
import { mappedList } from '../../../../lib/mapped-list.ts';
import { isIgnoredFrame } from '../v1/frames/ignored-frame.ts';
import { platformFamily } from '../v1/platform-family.ts';
import { withKnownIds } from './generated-ids.ts';

/**
 * Returns the event in the form that version 1 recognises: texts without ids of unknown form, closures of PHP under one
 * name. Returns the same object when nothing changes.
 */
export function inKnownForm(event: NormalisedEvent): NormalisedEvent {
  const message = event.message === null ? null : withKnownIds(event.message);
  const template = event.logentry?.message ?? null;
  const known = template === null ? null : withKnownIds(template);
  const exceptions = mappedList(event.exceptions, exceptionInForm);
  const inPhp = platformFamily(event.platform) === 'php';
  const called = inPhp ? mappedList(exceptions, withOneClosure) : exceptions;
  const threads = inPhp ? mappedList(event.threads, withOneClosure) : event.threads;
  if (message === event.message && known === template && called === event.exceptions && threads === event.threads) {
    return event;
  }
  const logentry = event.logentry === null ? null : { ...event.logentry, message: known };
  return { ...event, message, logentry, exceptions: called, threads };
}

function exceptionInForm(exception: EventException): EventException {
  const value = exception.value === null ? null : withKnownIds(exception.value);
  return value === exception.value ? exception : { ...exception, value };
}

function withOneClosure<T extends EventException | EventThread>(holder: T): T {
  if (holder.frames === null) return holder;
  const frames = mappedList(holder.frames, oneClosure);
  return frames === holder.frames ? holder : { ...holder, frames };
}

/** Name of every closure of PHP. Its class depends on the engine and on what it is bound to; its file does not. */
const CLOSURE = '{closure}';

function oneClosure(frame: Frame): Frame {
  const { function: name, filename } = frame;
  if (name === null || name === CLOSURE || filename === null || !name.includes('{closure')) return frame;
  // What version 1 ignores, it knows by the class.
  if (isIgnoredFrame(frame, 'php')) return frame;
  return { ...frame, function: CLOSURE };
}
