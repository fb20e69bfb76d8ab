/** Mail server of the instance; it does not pass the URL guard. */
export const mailSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url', 'from', 'name'],
  properties: {
    url: {
      type: ['string', 'null'],
      pattern: '^smtps?://([^\\s/?#@]+@)?[^\\s/?#@]+/?$',
      'x-expected': 'smtp://user:password@host:587, smtps://user:password@host or smtp://host',
      description: 'Mail server; user and password percent-encoded. Null: no mails.',
    },
    from: {
      type: ['string', 'null'],
      pattern: '^([^<>\\r\\n]*<[^\\s@<>,;:"()]+@[^\\s@<>,;:"()]+>|[^\\s@<>,;:"()]+@[^\\s@<>,;:"()]+)$',
      'x-expected': 'an address such as errgate@example.com or Errors <errgate@example.com>',
      description: 'Sender of mails; null: errgate@ and the host of the external URL.',
    },
    name: {
      type: ['string', 'null'],
      pattern: '^[A-Za-z0-9.:\\[\\]-]{1,255}$',
      'x-expected': 'a host name such as errors.example.com',
      description: 'Name that mail servers are greeted with (EHLO); null: the host of the external URL.',
    },
  },
} as const;

export const invitationsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['days'],
  properties: {
    days: {
      type: 'integer',
      minimum: 1,
      maximum: 90,
      description: 'Days after which the link of an invitation stops working, unless it says another day.',
    },
  },
} as const;
