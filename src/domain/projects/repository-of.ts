/** Returns `acme/shop` and the address of the repository in the template of a line; null for another form. */
export function repositoryOf(urlTemplate: string): { readonly name: string; readonly url: URL } | null {
  const beginning = urlTemplate.slice(0, (urlTemplate.indexOf('{') + 1 || urlTemplate.length + 1) - 1);
  if (!URL.canParse(beginning)) return null;
  const url = new URL(beginning);
  // `/acme/shop/-/blob/` of GitLab, `/acme/shop/blob/` of GitHub, `/acme/shop/src/` of Bitbucket and Gitea.
  const name = /^\/(.+?)(?:\.git)?\/(?:-\/)?(?:blob|blame|tree|src|raw)(?:\/|$)/.exec(url.pathname)?.[1];
  if (name === undefined || !name.includes('/')) return null;
  return { name, url: new URL(`/${name}`, url) };
}
