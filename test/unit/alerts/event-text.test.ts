import assert from 'node:assert/strict';
import fc from 'fast-check';
import { codeSpan, dataText, htmlText, markdownText, plainText } from '../../../src/alerts/event-text.ts';
import { processorMs } from '../../support/processor-time.ts';

describe('text of events in messages', () => {
  it('shows unseen characters by their code, and keeps what people write', () => {
    assert.equal(plainText('\u202egnp.exe\u202c', 50), '\\u202egnp.exe\\u202c');
    assert.equal(
      plainText('\u001b[2J\u0000 \u200b \u{e0041} \ud83d', 80),
      '\\u001b[2J\\u0000 \\u200b \\u{e0041} \\ud83d',
    );
    assert.equal(
      plainText('¡Explotó! \u2764\ufe0f \ud83d\udd25 مرحبا', 50),
      '¡Explotó! \u2764\ufe0f \ud83d\udd25 مرحبا',
    );
    assert.equal(plainText(' a\r\n\tb\u2028c\u0085d ', 50), 'a b c d');
    assert.equal(plainText(' \n ', 50), '(empty)');
  });

  it('breaks what clients would turn into a link', () => {
    assert.equal(plainText('see https://evil.example/x', 80), 'see https: //evil. example/x');
    assert.equal(plainText('WWW.evil.example mailto:a@b.c', 80), 'WWW. evil.example mailto: a@b.c');
    assert.equal(plainText('std::string at C:/x', 80), 'std::string at C:/x');
  });

  it('breaks names of hosts, which mail clients make links without a scheme', () => {
    for (const [text, expected] of [
      ['go to evil.com/reset', 'go to evil. com/reset'],
      ['Visit EVIL.COM, now.', 'Visit EVIL. COM, now.'],
      ['log in at evil.io.', 'log in at evil. io.'],
      ['evil.co.uk:8080 or a@b.example.org', 'evil. co. uk:8080 or a@b.example. org'],
      ['evil.py/reset evil.rs?token=1 evil.zip:80/x', 'evil. py/reset evil. rs?token=1 evil. zip:80/x'],
      ['пример.рф, xn--e1afmkfd.xn--p1ai, evil。com', 'пример. рф, xn--e1afmkfd. xn--p1ai, evil. com'],
      ['https://evil.de', 'https: //evil. de'],
      ['(evil.com) "evil.net" evil.dev…', '(evil. com) "evil. net" evil. dev…'],
    ] as const) {
      assert.equal(plainText(text, 100), expected);
      assert.equal(plainText(expected, 100), expected, 'stays as it is');
    }
  });

  it('keeps names of files, modules, classes and versions', () => {
    for (const text of [
      'cart.ts:12:5 in app.module.js, main.py, lib.rs, run.sh, README.md, a.zip',
      'java.lang.NullPointerException at com.acme.shop.Cart',
      'System.IO.FileNotFoundException in System.IO and java.io',
      "undefined is not an object (evaluating 'user.name' of cart.items)",
      'cart@2.4.1 src/cart.service.ts/x node_modules/chart.js/dist django.db.utils 1.5 v2.0/beta',
      'What is cart.py? End.Next sentence... $.ajax',
    ]) {
      assert.equal(plainText(text, 120), text);
    }
  });

  it('is never longer than its bound, never has unseen characters or links, and is quick', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), fc.integer({ min: 10, max: 300 }), (text, max) => {
        const plain = plainText(text, max);
        assert.ok(plain.length <= max);
        assert.doesNotMatch(plain, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|:\/\//u);
        assert.ok(dataText(text, max).length <= max);
        assert.doesNotMatch(dataText(text, max), /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
    const took = processorMs(() => {
      for (const part of ['a', ' ', '\u202e', '://', 'www.', 'a.', '.com', 'com.', '..'])
        plainText(part.repeat(1_000_000), 150);
    });
    assert.ok(took < 1000, `${took} ms`);
  });

  it('ends no code span and mentions nobody in it', () => {
    assert.equal(codeSpan('`a` @everyone <@1> cart@2.4.1'), "`'a' @ everyone <@ 1> cart@2.4.1`");
    assert.equal(markdownText('a_b*[c](d) <@1> `e`'), 'a\\_b\\*\\[c\\]\\(d\\) \\<@ 1\\> \\`e\\`');
    assert.equal(htmlText(`<a href="x" id='y'>&</a>`), '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;&lt;/a&gt;');
  });
});
