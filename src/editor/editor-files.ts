import { readFile } from 'node:fs/promises'
import { editorCollections, pagePath } from '../brand/edit-link.ts'
import { html } from '../site/html.ts'
import { type EditorSource, editorConfig } from './editor-config.ts'
import { editorParts } from './library/library.ts'

/**
 * The files of an editor: a page, its configuration, the library, our formats, fonts and licences. Any host can serve them,
 * below any path. The same source gives the same bytes.
 */
export async function editorFiles(source: EditorSource): Promise<ReadonlyMap<string, Uint8Array>> {
  const encode = (text: string) => new TextEncoder().encode(text)
  const own = await Promise.all(
    OWN_FILES.map(async name => [name, await readFile(new URL(`page/${name}`, import.meta.url))] as const),
  )
  return new Map([
    ['index.html', encode(page(source))],
    ['config.json', encode(`${JSON.stringify(editorConfig(source), null, 2)}\n`)],
    ...own,
    ...(await editorParts()),
  ])
}

const OWN_FILES = ['editor.css', 'editor.js', 'status.js'] as const

/** The page. Its data are the addresses of pages whose id does not follow from their path. */
function page(source: EditorSource): string {
  const data = JSON.stringify({ pages: movedPages(source) })
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="${editorPolicy(source)}">
<title>Edit ${source.name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="editor.css">
<script defer src="editor.js" data-editor="${data}"></script>
<script defer src="status.js"></script>
<script defer src="sveltia-cms.js"></script>
<script defer src="formats.js"></script>
</head>
<body${source.forge ? undefined : html` class="folder"`}></body>
</html>
`.text
}

/** The names of entries whose page has another id than its path says: `{ 'guidelines_pages/logo': 'logo/index' }`. */
function movedPages({ projects }: EditorSource): Record<string, string> {
  return Object.fromEntries(
    projects.flatMap(({ id, pages }) =>
      Object.keys(pages).map(page => [
        `${editorCollections(id).pages}/${page}`,
        pagePath({ pages }, page).replace(/^pages\/|\.md$/g, ''),
      ]),
    ),
  )
}

/**
 * The policy for browsers: run only the scripts of the folder, and connect only to it and the forge. The library writes
 * its styles into the page, and shows files as blobs.
 */
export function editorPolicy({ forge }: Pick<EditorSource, 'forge'>): string {
  const hosts = forge ? forgeHosts(forge).join(' ') : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' blob: data: ${hosts}`,
    "font-src 'self'",
    "media-src 'self' blob:",
    `connect-src 'self' blob: ${hosts}`,
    "frame-src 'self' blob:",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ]
    .map(directive => directive.trim())
    .join('; ')
}

/** The origins of a forge that the library asks. */
function forgeHosts({ origin }: NonNullable<EditorSource['forge']>): string[] {
  return origin === 'https://github.com' ? [origin, 'https://api.github.com'] : [origin]
}
