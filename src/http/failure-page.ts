/**
 * What people see when the protected site itself does not answer. Plain HTML, no script: nothing here may fail as well.
 * No settings, no clock; words in English only.
 */

/**
 * The page for a failed page load.
 * @param isGet false after a form: its fate is unknown, so it is not offered again.
 * @param inside the visitor holds a place in the room
 */
export function failurePage(nonce: string, isGet: boolean, inside: boolean): string {
  const kept = inside ? "<p>This does not cost you your place: you are still inside.</p>" : "";
  const next = isGet
    ? '<p><a href="">Try again</a></p>'
    : "<p>What you sent may or may not have arrived. Check before you send it again.</p>";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The site is not answering</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto 0; padding: 0 1.25rem; }
</style>
</head>
<body>
<main>
<h1>The site is not answering</h1>
<p>The site behind this waiting room did not answer just now. Please try again in a few seconds.</p>
${kept}
${next}
</main>
</body>
</html>
`;
}
