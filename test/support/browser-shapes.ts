/** Page of a browser, or of a simulated document. */
interface EvaluatingPage {
  evaluate<T>(script: string): Promise<T>;
}

/** Equal siblings of which each is checked. A list of 50 equal rows has the faults of its first ones. */
const KEPT = 3;

/**
 * Script that gives each element a key, keeps the keys in the window, and returns them. Elements have the same key if
 * they have the same shape at the same place. The shape is the tags, classes, states and names of attributes of an
 * element and of all in it, and whether they are visible and have a text, a label and what their attributes refer to;
 * texts and ids are left out. The place is the tags, classes and roles of the elements around it.
 */
const KEYS = `(() => {
  const VALUES = /^(class|role|type|tabindex|scope|lang|dir|aria-(?!label|describedby|controls|owns|active|value|row|col|pos|set))/;
  const REFERENCES = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls'];
  const hashes = new Map();
  const hash = (text) => {
    let value = hashes.get(text);
    if (value === undefined) {
      value = 0x811c9dc5;
      for (let index = 0; index < text.length; index += 1)
        value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
      hashes.set(text, value);
    }
    return value;
  };
  const mix = (one, other) => {
    const both = Math.imul(one ^ (other + 0x9e3779b9), 0x85ebca6b);
    return both ^ (both >>> 13);
  };
  const isVisible = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? !element.hidden;
  const describe = (element) => {
    const parts = [element.tagName, isVisible(element)];
    for (const { name, value } of element.attributes)
      parts.push(VALUES.test(name) ? name + '=' + value : name + (value === '' ? '' : '='));
    for (const name of REFERENCES) {
      const ids = element.getAttribute(name);
      if (ids !== null) parts.push(ids.split(' ').every((id) => document.getElementById(id) !== null));
    }
    if (element.labels) parts.push(element.labels.length > 0);
    if ([...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) parts.push('text');
    const label = element.getAttribute('aria-label');
    const text = label === null ? '' : element.textContent.trim();
    if (text !== '') parts.push(label.toLowerCase().includes(text.toLowerCase()));
    return parts.join(' ');
  };
  const placeOf = (element) =>
    ['class', 'role', 'hidden', 'open', 'inert', 'aria-hidden']
      .reduce((place, name) => place + ' ' + element.getAttribute(name), element.tagName);
  const keys = new Map();
  const visit = (element, around) => {
    const inside = mix(around, hash(placeOf(element)));
    let shape = hash(describe(element));
    for (const child of element.children) shape = mix(shape, visit(child, inside));
    keys.set(element, mix(around, shape));
    return shape;
  };
  const root = document.documentElement;
  visit(document.body, hash([...root.attributes].map(({ name, value }) => name + '=' + value).join(' ')));
  window.shapeKeys = keys;
  return [...keys.values()];
})()`;

/** Returns the key of each element of a page, which `leftOut` needs. */
export function shapesOf(page: EvaluatingPage): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>(KEYS);
}

/**
 * Script for the elements that need no check: those with one of the `known` keys, and those with the same key as `KEPT`
 * siblings before them. Elements in them are not listed.
 */
export function leftOut(known: readonly number[]): string {
  return `((known) => {
    const found = [];
    const search = (element) => {
      const counts = new Map();
      for (const child of element.children) {
        const key = window.shapeKeys.get(child);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (key !== undefined && (known.has(key) || count > ${KEPT})) found.push(child);
        else search(child);
      }
    };
    search(document.body);
    return found;
  })(new Set(${JSON.stringify(known)}))`;
}
