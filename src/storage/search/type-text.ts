/** Signs between the parts of a type: of packages and namespaces, and of pointers of Go. */
export const TYPE_SEPARATORS = ['::', '.', '\\', '/', '*'] as const;

/** Returns the parts of a type, or of its beginning, which may end with an empty one. */
export function typeParts(type: string): string[] {
  return type.split(/::|[.\\/*]/);
}
