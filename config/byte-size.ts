const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

/** Parses `4GiB`, `500 MB` or `1048576` into bytes; null for anything else. Units are decimal (MB) or binary (MiB). */
export function parseByteSize(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const unit = UNITS[(match?.[2] ?? '').toUpperCase()];
  if (match?.[1] === undefined || unit === undefined) return null;
  return Math.round(Number(match[1]) * unit);
}
