import type { Frame, NormalisedEvent, RawFrame } from '../../../domain/events/event.ts';
import { createFieldKinds } from './field-names.ts';
import { FieldScrubber } from './field-scrubber.ts';
import { scrubRequest } from './request-scrubber.ts';
import { scrubSourceLines } from './source-lines.ts';
import { scrubMessageBeforeGrouping, scrubText, scrubTextBeforeGrouping } from './value-patterns.ts';

export interface ScrubOptions {
  readonly enabled: boolean;
  /** Remove IP addresses too. */
  readonly scrubIps: boolean;
  /** Additional whole names, in any case, whose values are replaced. */
  readonly sensitiveFields: readonly string[];
  /** Whole names, in any case, whose values are never replaced. */
  readonly safeFields: readonly string[];
}

/** Replaces secrets in a normalised event, in place, in two steps around grouping. */
export interface Scrubber {
  /**
   * Replaces the values that were replaced before grouping when version 1 was frozen, and so are part of its keys. Its
   * effect must never change, or stored errors would not be found.
   */
  beforeGrouping(event: NormalisedEvent): void;
  /** Replaces all other secrets without effect on grouping. Runs before titles and the payload. */
  afterGrouping(event: NormalisedEvent): void;
  /** Replaces those in frames, such as source lines that a map added to a stored event. */
  inFrames(event: Pick<NormalisedEvent, 'exceptions' | 'threads'>): void;
}

const NONE: Scrubber = {
  beforeGrouping: () => undefined,
  afterGrouping: () => undefined,
  inFrames: () => undefined,
};

export function createScrubber(options: ScrubOptions): Scrubber {
  return options.enabled ? new EventScrubber(options) : NONE;
}

/** Default entry of a fingerprint, which is not scrubbed. */
const DEFAULT = '{{ default }}';
/** Characters of parameters and credentials of an address. */
const MAY_HOLD_SECRET = /[=@]/;

class EventScrubber implements Scrubber {
  readonly #fields: FieldScrubber;
  readonly #scrubIps: boolean;
  readonly #text: (value: string) => string;
  readonly #textBefore: (value: string) => string;
  readonly #sourceLine: (line: string) => string;

  constructor({ sensitiveFields, safeFields, scrubIps }: ScrubOptions) {
    const kindOf = createFieldKinds(sensitiveFields, safeFields);
    const fields = new FieldScrubber(kindOf, scrubIps);
    this.#fields = fields;
    this.#scrubIps = scrubIps;
    this.#text = (value) => fields.text(value);
    this.#textBefore = (value) => fields.withoutAddresses(scrubTextBeforeGrouping(value, kindOf));
    this.#sourceLine = (line) => scrubText(line, kindOf, 'source');
  }

  beforeGrouping(event: NormalisedEvent): void {
    const fields = this.#fields;
    event.message = this.#messageBefore(event.message);
    if (event.logentry !== null) {
      event.logentry.message = this.#messageBefore(event.logentry.message);
    }
    for (const exception of event.exceptions) {
      exception.value = exception.value === null ? null : fields.withoutAddresses(exception.value);
    }
    // Tags and address are part of a key only through a fingerprint.
    if (event.fingerprint.some((entry) => entry.includes('{{'))) {
      for (const tag of event.tags) {
        tag.value = fields.named(tag.key, tag.value, this.#textBefore);
      }
      if (event.request !== null) {
        event.request.url = event.request.url === null ? null : this.#textBefore(event.request.url);
      }
    }
  }

  afterGrouping(event: NormalisedEvent): void {
    const fields = this.#fields;
    this.#scrubTexts(event);
    for (const exception of event.exceptions) {
      exception.type = fields.proseOrNull(exception.type);
      exception.value = fields.proseOrNull(exception.value);
      fields.bag(exception.mechanism?.data ?? null);
    }
    this.inFrames(event);
    for (const image of event.debug_images ?? []) image.code_file = this.#name(image.code_file);
    for (const breadcrumb of event.breadcrumbs) {
      breadcrumb.message = breadcrumb.message === null ? null : fields.text(breadcrumb.message);
      fields.bag(breadcrumb.data);
    }
    if (event.request !== null) {
      scrubRequest(event.request, fields);
    }
    for (const tag of event.tags) {
      tag.value = fields.named(tag.key, tag.value, this.#text);
    }
    fields.bag(event.contexts);
    fields.bag(event.extra);
    fields.bag(event.user?.data ?? null);
    if (this.#scrubIps) {
      removeAddressFields(event);
    }
  }

  inFrames({ exceptions, threads }: Pick<NormalisedEvent, 'exceptions' | 'threads'>): void {
    for (const { frames } of [...exceptions, ...threads]) this.#scrubFrames(frames);
  }

  #messageBefore(value: string | null): string | null {
    return value === null ? null : this.#fields.withoutAddresses(scrubMessageBeforeGrouping(value));
  }

  /** Scrubs the texts of the event itself. */
  #scrubTexts(event: NormalisedEvent): void {
    const fields = this.#fields;
    event.message = fields.proseOrNull(event.message);
    if (event.logentry !== null) {
      event.logentry.message = fields.proseOrNull(event.logentry.message);
      event.logentry.params = fields.tree(event.logentry.params);
    }
    event.transaction = fields.proseOrNull(event.transaction);
    event.fingerprint = event.fingerprint.map((entry) => (entry === DEFAULT ? entry : fields.prose(entry)));
    if (event.security_report !== undefined) {
      event.security_report.host = fields.prose(event.security_report.host);
      event.security_report.rule = fields.proseOrNull(event.security_report.rule);
    }
  }

  /** Hides secrets in a name or path. Skips texts without the characters of `MAY_HOLD_SECRET`. */
  #name(value: string | null): string | null {
    return value !== null && MAY_HOLD_SECRET.test(value) ? this.#fields.prose(value) : value;
  }

  #scrubFrames(list: readonly Frame[] | null): void {
    for (const frame of list ?? []) {
      this.#fields.bag(frame.vars);
      this.#scrubPlace(frame);
      if (frame.raw !== undefined) this.#scrubPlace(frame.raw);
      if (frame.unmapped !== undefined) frame.unmapped = this.#fields.prose(frame.unmapped);
    }
  }

  #scrubPlace(frame: RawFrame): void {
    frame.function = this.#name(frame.function);
    frame.filename = this.#name(frame.filename);
    frame.abs_path = this.#name(frame.abs_path);
    scrubSourceLines(frame, this.#sourceLine);
  }
}

/** Removes members that contain only an IP address. */
function removeAddressFields({ request, user }: NormalisedEvent): void {
  if (request !== null) {
    delete request.env.REMOTE_ADDR;
  }
  if (user !== null) {
    user.ip_address = null;
  }
}
