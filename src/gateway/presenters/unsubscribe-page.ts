/** Text of the page; `ask`: with the button that ends the mails. */
const TEXTS = {
  ask: ['Stop alert mails?', 'errgate will send you no more mails about errors, of any project.'],
  done: ['You get no more alert mails', 'Your profile has the setting, should you want them again.'],
  invalid: ['This link is not valid', 'Use the whole address of the link, or change the setting in your profile.'],
} as const;

export type UnsubscribePage = keyof typeof TEXTS;

/** Returns a page without scripts, styles and foreign content. Its form goes to its own address. */
export function unsubscribePage(page: UnsubscribePage, profileUrl: string): string {
  const [title, text] = TEXTS[page];
  const form =
    page === 'ask'
      ? '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Stop alert mails</button></form>'
      : '';
  const href = profileUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
${form}
<p><a href="${href}">Profile</a></p>
</main>
</body>
</html>
`;
}
