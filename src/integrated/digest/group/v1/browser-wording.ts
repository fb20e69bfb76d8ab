/** Wordings of one fault in several engines, each with the wording that replaces all of them; `$1` is the property. */
const WORDINGS: readonly (readonly [said: RegExp, word: string])[] = [
  [
    /^Cannot (?:read|set) properties of (?:undefined|null) \((?:reading|setting) '([^'\n]{1,200})'\)/,
    "property '$1' of no object",
  ],
  [/^Cannot (?:read|set) property '([^'\n]{1,200})' of (?:undefined|null)/, "property '$1' of no object"],
  [/^can't access property "([^"\n]{1,200})", [^\n]{1,500} is (?:undefined|null)/, "property '$1' of no object"],
  [
    /^(?:undefined|null) is not an object \(evaluating '[^'\n]{1,400}[.]([\w$]{1,200})'\)/,
    "property '$1' of no object",
  ],
  [/ is not a function\. \(In '[^\n]{1,1000}$/, ' is not a function'],
  [/^(?:Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed)$/, 'Failed to fetch'],
  [
    /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed)/,
    'no module',
  ],
  [/^ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)\.?$/, 'ResizeObserver loop'],
];

const MAY_DIFFER = /^(?:Cannot|can't|undefined|null|Failed|Net|Load|error|Import|Resize)|\(In '/;

/** Returns an engine's error text in wording that does not depend on the browser. */
export function inCommonWording(value: string): string {
  if (!MAY_DIFFER.test(value)) return value;
  for (const [said, word] of WORDINGS) {
    if (said.test(value)) return value.replace(said, word);
  }
  return value;
}
