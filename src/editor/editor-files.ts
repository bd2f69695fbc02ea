import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { memoize } from '../base/text.ts'
import { editorCollections } from '../brand/edit-link.ts'
import { html } from '../site/html.ts'
import { type EditorSource, editorConfig, entryPath } from './editor-config.ts'
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
    ['index.html', encode(page(source, await hashScripts()))],
    ['config.json', encode(`${JSON.stringify(editorConfig(source), null, 2)}\n`)],
    ...own,
    ...(await editorParts()),
  ])
}

/** The scripts of the page, in order. */
const SCRIPTS = [
  'editor.js',
  'forms.js',
  'status.js',
  'saves.js',
  'versions.js',
  'sveltia-cms.js',
  'formats.js',
] as const

/** The integrity hashes of the scripts by name, which are the same for every editor. */
async function hashScripts(): Promise<Scripts> {
  return new Map(await Promise.all(SCRIPTS.map(async name => [name, await scriptHash(name)] as const)))
}

type Scripts = ReadonlyMap<string, string>

/** The integrity hash of a script of the editor. */
export const scriptHash = memoize(async (name: string) => {
  const bytes = (await editorParts()).get(name) ?? (await readFile(new URL(`page/${name}`, import.meta.url)))
  return `sha256-${hash('sha256', bytes, 'base64')}`
})

const OWN_FILES = ['editor.css', 'editor.js', 'forms.js', 'status.js', 'saves.js', 'versions.js', 'new.js'] as const

/** The page. Its data are the addresses of pages whose id does not follow from their path. */
function page(source: EditorSource, scripts: Scripts): string {
  const data = JSON.stringify({ pages: movedPages(source) })
  const tags = Array.from(
    scripts,
    ([name, hash]) =>
      html`<script defer src="${name}" integrity="${hash}"${name === 'editor.js' && html` data-editor="${data}"`}></script>\n`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="${policyOf(source, scripts)}">
<title>Edit ${source.name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="editor.css">
${tags}</head>
<body${source.forge ? undefined : html` class="folder"`}></body>
</html>
`.text
}

/** The names of entries whose page has another id than its path says: `{ 'guidelines_pages/logo': 'logo/index' }`. */
function movedPages({ projects }: EditorSource): Record<string, string> {
  return Object.fromEntries(
    projects.flatMap(project =>
      Object.keys(project.pages).map(id => [`${editorCollections(project.id).pages}/${id}`, entryPath(project, id)]),
    ),
  )
}

/**
 * The policy for browsers: run only the unmodified scripts of the editor (CSP 3 §8.4), since files of brands have the
 * same origin, and connect only to it and the forge. The library writes its styles into the page, and shows files as
 * blobs.
 */
export async function editorPolicy(source: Pick<EditorSource, 'forge'>): Promise<string> {
  return policyOf(source, await hashScripts())
}

/** The origins of a forge, which the editor talks to. */
export function hostsOf({ forge }: Pick<EditorSource, 'forge'>): string {
  return forge ? forge.origin.replace(/^https:\/\/github\.com$/, '$& https://api.github.com') : ''
}

function policyOf(source: Pick<EditorSource, 'forge'>, scripts: Scripts): string {
  const hosts = hostsOf(source)
  return [
    "default-src 'none'",
    `script-src ${Array.from(scripts.values(), each => `'${each}'`).join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' blob: data: ${hosts}`,
    "font-src 'self'",
    "media-src 'self' blob:",
    `connect-src 'self' blob: ${hosts}`,
    "frame-src 'self' blob:",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ]
    .map(directive => directive.trim())
    .join('; ')
}
