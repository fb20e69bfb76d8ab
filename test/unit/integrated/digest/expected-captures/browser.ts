import type { Expected, ExpectedCaptures } from './expected.ts';

const BROWSER: Expected = {
  title: 'x',
  culprit: null,
  type: null,
  message: 'x',
  level: 'error',
  platform: 'other',
  timestamp: '2026-11-20T19:00:00.000Z',
  userId: null,
  derived: {},
};

export const BROWSER_CAPTURES: ExpectedCaptures = {
  'browser-11/01': BROWSER,
  'browser-11/02': BROWSER,
};
