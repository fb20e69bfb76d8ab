/** Lower case, about 50,000: loaded at the first password that is set, because it takes 15 MB and 70 ms. */
let known: Promise<ReadonlySet<string>> | null = null;

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Whether a guesser would try it first: it stands on a list of passwords from public leaks, in any case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await (known ??= load())).has(password.toLowerCase());
}
