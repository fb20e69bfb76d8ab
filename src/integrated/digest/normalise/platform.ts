/** Platforms of the protocol's clients; another one becomes `other`. */
const PLATFORMS = new Set(
  (
    'as3 c cfml cocoa crystal csharp dart deno bun elixir erlang flutter go groovy haskell java javascript kotlin lua ' +
    'native node objc ocaml other perl php powershell python r ruby rust scala swift'
  ).split(' '),
);

export function parsePlatform(value: unknown): string {
  return framePlatform(value) ?? 'other';
}

/** Normalises the optional platform of a frame; null when absent or unknown. */
export function framePlatform(value: unknown): string | null {
  if (typeof value !== 'string') {
    return null;
  }
  if (PLATFORMS.has(value)) {
    return value;
  }
  const name = value.trim().toLowerCase();
  return PLATFORMS.has(name) ? name : null;
}
