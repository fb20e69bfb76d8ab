import type {
  EventException,
  EventThread,
  Frame,
  Mechanism,
  NormalisedEvent,
} from '../../../../../../src/domain/events/event.ts';
import { groupV1 } from '../../../../../../src/integrated/digest/group/v1/group.ts';

/** A frame of the application, with a module unless another place is given. */
export function frame(members: Partial<Frame> = {}): Frame {
  return {
    filename: null,
    abs_path: members.filename ?? null,
    module: null,
    package: null,
    function: null,
    lineno: null,
    colno: null,
    in_app: true,
    platform: null,
    context_line: null,
    pre_context: [],
    post_context: [],
    vars: null,
    ...members,
  };
}

/** Library code. */
export function systemFrame(members: Partial<Frame> = {}): Frame {
  return frame({ in_app: false, ...members });
}

export function mechanism(members: Partial<Mechanism> = {}): Mechanism {
  return {
    type: 'generic',
    handled: true,
    synthetic: false,
    exception_id: null,
    parent_id: null,
    is_exception_group: false,
    source: null,
    description: null,
    data: null,
    ...members,
  };
}

export function exception(members: Partial<EventException> = {}): EventException {
  return { type: 'Error', value: null, module: null, thread_id: null, mechanism: null, frames: null, ...members };
}

export function thread(members: Partial<EventThread> = {}): EventThread {
  return { id: null, name: null, crashed: false, current: false, frames: null, ...members };
}

export function event(members: Partial<NormalisedEvent> = {}): NormalisedEvent {
  return {
    event_id: '0123456789abcdef0123456789abcdef',
    timestamp: '2026-11-20T19:00:00.000Z',
    level: 'error',
    platform: 'python',
    logger: null,
    release: null,
    dist: null,
    environment: null,
    server_name: null,
    transaction: null,
    message: null,
    logentry: null,
    exceptions: [],
    threads: [],
    breadcrumbs: [],
    request: null,
    user: null,
    tags: [],
    contexts: {},
    extra: {},
    modules: {},
    sdk: null,
    fingerprint: ['{{ default }}'],
    notes: [],
    ...members,
  };
}

/** An event of one exception with these frames. */
export function thrown(platform: string, frames: Frame[], members: Partial<EventException> = {}): NormalisedEvent {
  return event({ platform, exceptions: [exception({ frames, ...members })] });
}

export function message(text: string, members: Partial<NormalisedEvent> = {}): NormalisedEvent {
  return event({ message: text, ...members });
}

export function keyOf(subject: NormalisedEvent): string {
  return groupV1(subject).key;
}
