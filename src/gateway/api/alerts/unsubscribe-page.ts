/** Text of the page. `ask`: has the buttons; `project`, null: all projects, else the path of the one that is meant. */
export type UnsubscribePage =
  { readonly name: 'ask' | 'done'; readonly project: string | null } | { readonly name: 'invalid' };

const STOP_ALL = 'Stop all alert mails';

function titleAndText(page: UnsubscribePage): readonly [title: string, text: string] {
  if (page.name === 'invalid') {
    return ['This link is not valid', 'Use the whole address of the link, or change the setting in your profile.'];
  }
  const { name, project } = page;
  if (name === 'ask') {
    const only = project === null ? '' : ` You may also keep those of your other projects.`;
    return ['Stop alert mails?', `errgate will send you no more mails about errors.${only}`];
  }
  return project === null
    ? ['You get no more alert mails', 'Your profile has the setting, should you want them again.']
    : [`You get no more mails of ${project}`, 'Mails of your other projects go on. Your profile has the setting.'];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function button(mails: 'project' | 'all', text: string): string {
  return `<p><button name="mails" value="${mails}">${escaped(text)}</button></p>`;
}

/** Returns a page without scripts, styles and foreign content. Its form goes to its own address. */
export function unsubscribePage(page: UnsubscribePage, profileUrl: string): string {
  const [title, text] = titleAndText(page);
  const buttons =
    page.name === 'ask'
      ? [
          ...(page.project === null ? [] : [button('project', `Stop mails of ${page.project}`)]),
          button('all', STOP_ALL),
        ]
      : [];
  const form = buttons.length === 0 ? '' : `<form method="post">${buttons.join('')}</form>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
${form}
<p><a href="${escaped(profileUrl)}">Profile</a></p>
</main>
</body>
</html>
`;
}
