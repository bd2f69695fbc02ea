import type { HeaderList, Reply } from '../exchange/message.ts'
import { type Html, html } from './html.ts'

/** A whole page as a reply: no script, no outside resource, in no one's frame. */
export function pageReply(title: string, main: Html, headers: HeaderList = []): Reply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/assets/site.css">
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`
  return { status: 200, headers: [...PAGE_HEADERS, ...headers], body: new TextEncoder().encode(page.text) }
}

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const PAGE_HEADERS = [
  ...['Content-Type', 'text/html; charset=utf-8'],
  ...['Content-Security-Policy', POLICY],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
] as const
