/** Names in the quotation marks of older engines: `name'. */
const OLD_QUOTES = /`([^`'\n]{1,256})'/g;
const OBJECT =
  /#<((?!Class:|Module:)[A-Z]\w{0,100}(?:::[A-Z]\w{0,100}){0,20})(?:[ :][^>\n]{0,1000})?>|\bnil:NilClass\b/g;

/** Returns a text of Ruby in the wording of its newest version, which omits the object: `for an instance of Cart`. */
export function inNewestWording(text: string): string {
  const quoted = text.includes('`') ? text.replace(OLD_QUOTES, "'$1'") : text;
  if (!/:NilClass|#</.test(quoted)) return quoted;
  return quoted.replace(OBJECT, (_, type: string | undefined) =>
    type === undefined ? 'nil' : `an instance of ${type}`,
  );
}
