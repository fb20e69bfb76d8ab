import { readFileSync } from 'node:fs';

/** Texts that events may have and that try to become markup, links, mentions, commands or headers. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...(JSON.parse(readFileSync(new URL('../fixtures/hostile-texts.json', import.meta.url), 'utf8')) as string[]),
  '<!channel> <!here> <!everyone> <@U012ABCDEF> <!subteam^S012> <https://evil.example|click>',
  '@everyone @here @channel @all `@everyone` ``@here`` ```@channel```',
  'foo.@channel x:@all -@here',
  '[click](https://evil.example) ![x](https://evil.example/x.png) <https://evil.example>',
  'session expired: https://evil.example/login www.evil.example mailto:a@evil.example',
  '`code` ends here https://evil.example @everyone',
  '``` \n/close\n/assign @root\n```',
  '\n/close\n/label ~bug',
  '**bold** _it_ ~~no~~ ||spoiler|| # heading > quote :skull: :tada:',
  '\\` @everyone \\',
  '&lt;!channel&gt; &amp;lt;',
  '{"text":"x"}\u0000\ud83d',
  '\u{e0001}\u{e0068}\u{e0069} tag characters',
  '@\u200beveryone',
  'x\r\nBcc: all@example.com\r\n\r\n<html>',
  '=?utf-8?B?PHNjcmlwdD4=?=',
  ' ',
  '',
];
