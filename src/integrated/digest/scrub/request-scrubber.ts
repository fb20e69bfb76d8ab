import type { EventRequest } from '../../../domain/events/event.ts';
import { scrubBody } from './body-text.ts';
import { isSensitiveCookie } from './field-names.ts';
import type { FieldScrubber } from './field-scrubber.ts';

/** Hides secrets in the HTTP request of an event, in place. */
export function scrubRequest(request: EventRequest, fields: FieldScrubber): void {
  request.url = request.url === null ? null : fields.text(request.url);
  scrubHeaders(request.headers, fields);
  for (const pair of request.query_string) {
    // A query without an equals sign is stored as a name.
    if (pair[1] === '') pair[0] = fields.text(pair[0]);
  }
  fields.pairs(request.query_string);
  fields.pairs(request.cookies, isSensitiveCookie);
  const { data } = request;
  request.data =
    typeof data === 'string'
      ? fields.text(scrubBody(data, fields.kindOf, (value) => fields.tree(value)))
      : fields.tree(data);
  fields.bag(request.env);
}

function scrubHeaders(headers: [string, string][], fields: FieldScrubber): void {
  for (const header of headers) {
    const [name, value] = header;
    if (name === 'Cookie' || name === 'Set-Cookie') {
      header[1] = fields.kindOf(name) === 'safe' ? value : fields.cookies(value);
    } else if (name !== 'User-Agent') {
      fields.pairs([header]);
    }
  }
}
