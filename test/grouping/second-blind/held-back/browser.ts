import { at, browser, onerror, rejection, handler, host, react18, react19 } from '../shapes/browser.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const browserPairs = [
  // The component is the same; React 19 has other frames below it.
  same(
    'React 18 and React 19 below one component',
    browser([
      {
        type: 'ReferenceError',
        value: 'formatMoney is not defined',
        mechanism: { type: 'generic', handled: true },
        frames: [...react18, at(`${host}/src/orders/OrderRow.tsx`, 'OrderRow', 22, 14)],
      },
    ]),
    browser(
      [
        {
          type: 'ReferenceError',
          value: 'formatMoney is not defined',
          mechanism: { type: 'generic', handled: true },
          frames: [...react19, at(`${host}/src/orders/OrderRow.tsx`, 'OrderRow', 25, 14)],
        },
      ],
      'react@9.2.0',
    ),
  ),
  // A lost chunk after a deploy: the chunk is the same one, its content hash is not.
  same(
    'chunk load error with another content hash',
    ...both(
      { hash: '6c1f0be2', runtime: '10ac4f7d', version: '7.119.0' },
      { hash: 'd90aa417', runtime: '97be02c6', version: '8.35.0' },
      ({ hash, runtime, version }) =>
        browser(
          [
            {
              type: 'ChunkLoadError',
              value: `Loading chunk checkout failed.\n(error: https://cdn.fernshop.io/static/js/checkout.${hash}.chunk.js)`,
              mechanism: rejection,
              frames: [
                at(`https://cdn.fernshop.io/static/js/runtime.${runtime}.js`, 'Function.s.e', 1, 1180),
                at(`https://cdn.fernshop.io/static/js/runtime.${runtime}.js`, 'Object.s.f.j', 1, 2874),
              ],
            },
          ],
          `react@${version}`,
        ),
    ),
  ),
  // One request for profiles fails with one status; only the user's id differs.
  same(
    'a failed request for another id',
    ...both({ id: '88120', line: 61 }, { id: '91733', line: 64 }, ({ id, line }) =>
      browser([
        {
          type: 'HttpError',
          value: `GET /api/users/${id}/profile failed with status 502`,
          mechanism: rejection,
          frames: [
            at(`${host}/src/profile/ProfilePage.tsx`, 'loadProfile', line, 25),
            at(`${host}/src/api/profile.ts`, 'fetchProfile', 14, 10),
            at(`${host}/src/api/http.ts`, 'request', 37, 11),
          ],
        },
      ]),
    ),
  ),
  // The assertion helper is not the fault: two features break two different promises.
  different(
    'one assertion helper, two callers',
    browser([
      {
        type: 'Error',
        value: 'Invariant failed',
        mechanism: onerror,
        frames: [
          at(`${host}/src/router/useTeam.ts`, 'useTeam', 11, 3),
          at(`${host}/src/util/invariant.ts`, 'invariant', 4, 9),
        ],
      },
    ]),
    browser([
      {
        type: 'Error',
        value: 'Invariant failed',
        mechanism: onerror,
        frames: [
          at(`${host}/src/billing/PlanPicker.tsx`, 'selectPlan', 57, 5),
          at(`${host}/src/util/invariant.ts`, 'invariant', 4, 9),
        ],
      },
    ]),
  ),
  // Two unrelated recursions; the message is the engine's only one.
  different(
    'stack overflow in two recursions',
    ...both(
      [at(`${host}/src/tree/TreeNode.tsx`, 'countLeaves', 15, 30)],
      [at(`${host}/src/store/undo.ts`, 'deepFreeze', 8, 5), at(`${host}/src/store/undo.ts`, 'freezeEntry', 21, 12)],
      (cycle) =>
        browser([
          {
            type: 'RangeError',
            value: 'Maximum call stack size exceeded',
            mechanism: onerror,
            frames: Array.from({ length: 16 }, () => cycle).flat(),
          },
        ]),
    ),
  ),
  // One handler, but a full storage is not a malformed document.
  different(
    'quota exceeded and a syntax error in one function',
    browser([
      {
        type: 'QuotaExceededError',
        value: "Failed to execute 'setItem' on 'Storage': Setting the value of 'draft' exceeded the quota.",
        mechanism: handler,
        frames: [
          at(`${host}/src/editor/Editor.tsx`, 'onBlur', 102, 9),
          at(`${host}/src/editor/draft.ts`, 'persistDraft', 29, 18),
        ],
      },
    ]),
    browser([
      {
        type: 'SyntaxError',
        value: 'Unexpected token u in JSON at position 0',
        mechanism: handler,
        frames: [
          at(`${host}/src/editor/Editor.tsx`, 'onBlur', 102, 9),
          at(`${host}/src/editor/draft.ts`, 'persistDraft', 24, 29),
        ],
      },
    ]),
  ),
];
