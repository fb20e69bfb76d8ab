/** Types up to this length are shown whole. */
const MAX_WHOLE = 32;

/** Packages in front of a class, with their separators: `java.lang.`, `Illuminate\Database\`, `std::io::`. */
const PACKAGES = /^(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|\\|::))+(?=[\p{L}_$])/u;
const PACKAGE = /([\p{L}_$])[\p{L}\p{N}_$]*(\.|\\|::)/gu;

/**
 * Shortens the packages of a long type to their first letters: `com.acme.payments.DeclinedException` becomes
 * `c.a.p.DeclinedException`.
 */
export function shortType(type: string): string {
  if (type.length <= MAX_WHOLE) return type;
  const packages = PACKAGES.exec(type)?.[0] ?? '';
  return packages.replaceAll(PACKAGE, '$1$2') + type.slice(packages.length);
}
