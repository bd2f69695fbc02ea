import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { memoize } from '#platform/base/text.ts'
import { html } from '#site/html.ts'
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
    ['index.html', encode(await page(source))],
    ['config.json', encode(`${JSON.stringify(editorConfig(source), null, 2)}\n`)],
    ...own,
    ...(await editorParts()),
  ])
}

const OWN_SCRIPTS = ['editor.js', 'forms.js', 'status.js', 'saves.js', 'versions.js'] as const
const OWN_FILES = ['editor.css', 'new.js', ...OWN_SCRIPTS] as const

/** The scripts of the page, in order. */
const SCRIPTS = [...OWN_SCRIPTS, 'sveltia-cms.js', 'formats.js'] as const

/** The integrity hashes of the scripts by name, which are the same for every editor. */
async function hashScripts(): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(SCRIPTS.map(async name => [name, await scriptHash(name)] as const)))
}

/** The integrity hash of a script of the editor. */
export const scriptHash = memoize(async (name: string) => {
  const bytes = (await editorParts()).get(name) ?? (await readFile(new URL(`page/${name}`, import.meta.url)))
  return `sha256-${hash('sha256', bytes, 'base64')}`
})

async function page(source: EditorSource): Promise<string> {
  const tags = Array.from(
    await hashScripts(),
    ([name, hash]) => html`<script defer src="${name}" integrity="${hash}"></script>\n`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="${await editorPolicy(source)}">
<title>Edit ${source.name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="editor.css">
${tags}</head>
<body${source.forge ? undefined : html` class="folder"`}></body>
</html>
`.text
}

/**
 * The policy for browsers: run only the unmodified scripts of the editor (CSP 3 §8.4), since files of brands have the
 * same origin, and connect only to it and the forge. The library writes its styles into the page, and shows files as
 * blobs.
 */
export async function editorPolicy(source: Pick<EditorSource, 'forge'>): Promise<string> {
  const scripts = (await hashScripts()).values()
  const hosts = hostsOf(source)
  return [
    "default-src 'none'",
    `script-src ${Array.from(scripts, each => `'${each}'`).join(' ')}`,
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

/** The origins of a forge, which the editor talks to. */
export function hostsOf({ forge }: Pick<EditorSource, 'forge'>): string {
  return forge ? forge.origin.replace(/^https:\/\/github\.com$/, '$& https://api.github.com') : ''
}
