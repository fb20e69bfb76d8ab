import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AppError } from '../../../../../src/domain/app-error.ts';
import { MAX_ITEMS, readEnvelopeHead, readEnvelopeItems } from '../../../../../src/integrated/intake/read/envelope.ts';

function read(text: string | Buffer) {
  const body = Buffer.from(text as string);
  const head = readEnvelopeHead(body);
  assert.ok(head !== null, 'the head is readable');
  const { items, problem } = readEnvelopeItems(body, head.itemsAt);
  return { body, header: head.header, items, problem };
}

function shape(text: string | Buffer) {
  const { items, problem } = read(text);
  return { items: items.map((item) => `${item.type}:${item.payload.toString('latin1')}`), problem };
}

const invalid = (error: unknown) => error instanceof AppError && error.code === 'ingest_invalid';

describe('envelope head', () => {
  it('is one JSON object on the first line', () => {
    assert.deepEqual(readEnvelopeHead(Buffer.from('{}')), { header: {}, itemsAt: 3 });
    assert.deepEqual(readEnvelopeHead(Buffer.from('{"a":1}\r\n{"type":"x"}\n')), { header: { a: 1 }, itemsAt: 9 });
    assert.deepEqual(readEnvelopeHead(Buffer.from('\ufeff\n{"a":1}\n'))?.header, { a: 1 });
  });

  it('is null otherwise', () => {
    for (const text of [
      '',
      '\n\n',
      'null',
      '[]',
      '"x"',
      '{',
      '{"a":1} x',
      '{"a":\n1}',
      '\u0000{}',
      `{"a":"${'x'.repeat(70_000)}"}`,
    ]) {
      assert.equal(readEnvelopeHead(Buffer.from(text)), null, text.slice(0, 20));
    }
  });
});

describe('envelope items', () => {
  const accepted: [what: string, text: string, items: string[]][] = [
    ['headers only', '{}', []],
    ['headers only, with newline', '{}\n', []],
    ['headers and blank lines', '{}\n\r\n\n  \n', []],
    ['length and final newline', '{}\n{"type":"event","length":2}\n{}\n', ['event:{}']],
    ['length, no final newline', '{}\n{"type":"event","length":2}\n{}', ['event:{}']],
    ['no length, final newline', '{}\n{"type":"event"}\n{"a":1}\n', ['event:{"a":1}']],
    ['no length, no final newline', '{}\n{"type":"event"}\n{"a":1}', ['event:{"a":1}']],
    ['length null', '{}\n{"type":"event","length":null}\n{}\n', ['event:{}']],
    ['length as text', '{}\n{"type":"event","length":"2"}\n{}\n', ['event:{}']],
    ['length zero', '{}\n{"type":"attachment","length":0}\n\n{"type":"event"}\n{}', ['attachment:', 'event:{}']],
    ['length zero at the end', '{}\n{"type":"attachment","length":0}\n', ['attachment:']],
    ['item header at the end', '{}\n{"type":"session"}', ['session:']],
    [
      'a payload with newlines',
      '{}\n{"type":"attachment","length":5}\na\n\nb\n\n{"type":"event"}\n{}',
      ['attachment:a\n\nb\n', 'event:{}'],
    ],
    [
      'a payload with NUL and high bytes',
      '{}\n{"length":3,"type":"attachment"}\n\u0000\n\u0001\n{"type":"event"}\n{}\n',
      ['attachment:\u0000\n\u0001', 'event:{}'],
    ],
    [
      'CRLF after headers',
      '{}\r\n{"type":"event","length":2}\r\n{}\r\n{"type":"session","length":2}\r\n{}\r\n',
      ['event:{}', 'session:{}'],
    ],
    ['CRLF without length', '{}\r\n{"type":"event"}\r\n{}\r\n', ['event:{}\r']],
    ['blank lines between items', '{}\n{"type":"a"}\n1\n\n\n{"type":"b"}\n2\n\n', ['a:1', 'b:2']],
    [
      'an unknown item with length',
      '{}\n{"type":"from_the_future","length":1}\nx\n{"type":"event"}\n{}',
      ['from_the_future:x', 'event:{}'],
    ],
    [
      'an unknown item without length',
      '{}\n{"type":"from_the_future"}\nx\n{"type":"event"}\n{}',
      ['from_the_future:x', 'event:{}'],
    ],
    ['two events', '{}\n{"type":"event"}\n{"n":1}\n{"type":"event"}\n{"n":2}\n', ['event:{"n":1}', 'event:{"n":2}']],
    [
      'escaped slashes and blanks in headers',
      '{}\n {"content_type":"application\\/json", "type":"event" }\n{}',
      ['event:{}'],
    ],
  ];
  for (const [what, text, items] of accepted) {
    it(`reads ${what}`, () => {
      assert.deepEqual(shape(text), { items, problem: null });
    });
  }

  const cut: [what: string, text: string, problem: string][] = [
    ['a header without type', '{}\n{"length":2}\n{}', 'malformed_envelope'],
    ['a type that is no text', '{}\n{"type":7}\n{}', 'malformed_envelope'],
    ['a header that is no object', '{}\n[1]\n{}', 'malformed_envelope'],
    ['a header that is no JSON', '{}\n{"type":\n{}', 'malformed_envelope'],
    ['a negative length', '{}\n{"type":"event","length":-1}\n{}', 'malformed_envelope'],
    ['a broken length', '{}\n{"type":"event","length":1.5}\n{}', 'malformed_envelope'],
    ['a huge length', '{}\n{"type":"event","length":9007199254740993}\n{}', 'malformed_envelope'],
    ['a length that is too short', '{}\n{"type":"event","length":1}\n{}\n', 'malformed_envelope'],
    ['a length that is too long', '{}\n{"type":"event","length":3}\n{}', 'truncated_envelope'],
    ['a length and no payload', '{}\n{"type":"event","length":3}', 'truncated_envelope'],
  ];
  for (const [what, text, problem] of cut) {
    it(`refuses ${what} when it is all there is, and keeps what came before it`, () => {
      assert.throws(() => read(text), invalid);
      const before = text.replace('{}\n', '{}\n{"type":"session"}\n{"sid":1}\n');
      assert.deepEqual(shape(before), { items: ['session:{"sid":1}'], problem });
    });
  }

  it('does not copy payloads', () => {
    const { body, items } = read('{}\n{"type":"event","length":2}\n{}\n');
    assert.equal(items[0]?.payload.buffer, body.buffer);
  });

  it('reads up to 1000 items and says that there were more', () => {
    const text = `{}\n${'{"type":"session"}\n{}\n'.repeat(MAX_ITEMS)}`;
    assert.equal(read(text).problem, null);
    const more = read(`${text}{"type":"session"}\n{}\n`);
    assert.equal(more.items.length, MAX_ITEMS);
    assert.equal(more.problem, 'too_many_items');
  });

  it('never fails with anything else than ingest_invalid, and never reads beyond the body', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '{}',
        '\n',
        '\r\n',
        '{"type":"event"}',
        '{"type":"event","length":2}',
        '{"type":"attachment","length":5}',
        '{"length":0}',
        ' ',
        '\u0000',
      ),
      fc.string(),
      fc.json(),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((raw) => Buffer.from(raw)),
      fc.array(piece, { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''))),
      fc.array(piece, { maxLength: 20 }).map((parts) => Buffer.from(`{}\n${parts.join('\n')}`)),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        const head = readEnvelopeHead(body);
        if (head === null) {
          return;
        }
        try {
          const { items } = readEnvelopeItems(body, head.itemsAt);
          const payloadBytes = items.reduce((sum, item) => sum + item.payload.length, 0);
          assert.ok(payloadBytes <= body.length);
        } catch (error) {
          assert.ok(invalid(error), String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
