import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { EditorSource } from '#people/editor/editor-config.ts'
import { editorFiles } from '#people/editor/editor-files.ts'
import { openPage, type WatchedPage } from './browser.ts'
import { localServer } from './local-server.ts'
import { until } from './until.ts'

/** An editor in a browser, with a copy of a brand folder in the browser's own file system. */
export type EditedBrand = WatchedPage & {
  /** Opens an entry: `guidelines/entries/colors`. */
  open: (entry: string) => Promise<void>
  /** Opens the rows of a list. */
  openRows: () => Promise<void>
  /** The field with this key: `items.0.hex`. */
  field: (key: string) => ReturnType<Page['locator']>
  /** Saves, and returns the changed lines: removed ones with `-`, new ones with `+`. Their line ends are shown. */
  save: () => Promise<Record<string, string[]>>
}

/** Serves an editor as static files, and opens it with the files of a brand folder, keyed by path. */
export async function editBrand(source: EditorSource, files: Readonly<Record<string, string>>): Promise<EditedBrand> {
  const made = await editorFiles(source)
  const { url } = await localServer(({ url: target = '' }, reply) => {
    const name = target.slice(1).split('?')[0] || 'index.html'
    const bytes = made.get(name)
    reply.writeHead(bytes ? 200 : 404, { 'content-type': TYPES[name.split('.').pop() ?? ''] ?? 'text/plain' })
    reply.end(bytes)
  })
  // Entries are only rendered once they are in view, but each frame of a larger view takes longer to draw.
  const watched = await openPage({ viewport: { width: 1200, height: 2500 } })
  const { page } = watched
  await page.addInitScript({ path: fileURLToPath(new URL('browser-folder.js', import.meta.url)) })
  await page.goto(url)
  await page.evaluate(`pickBrand(${JSON.stringify(files)})`)
  await page.getByRole('button', { name: 'Work with Local Repository' }).click()
  await page.getByText('Collections', { exact: true }).waitFor()
  let before = { ...files }
  return {
    ...watched,
    open: async entry => {
      await page.evaluate(`location.assign('#/collections/${entry}')`)
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    },
    openRows: async () => page.getByRole('button', { name: 'Expand All' }).first().click(),
    field: key => page.locator(`[data-mode="edit"] .field[data-key-path="${key}"]`),
    save: async () => {
      const address = page.url()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      let changes: Record<string, string[]> = {}
      await until(async () => {
        // A file that is being replaced does not exist for a moment.
        const after = await readBrand(page).catch(() => before)
        changes = changesBetween(before, after)
        if (Object.keys(changes).length === 0) return false
        before = after
        return true
      })
      // The library returns to its list a moment after the file has changed, and hides the saved entry after that.
      await until(() => page.url() !== address)
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
      return changes
    },
  }
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  woff2: 'font/woff2',
}

/** The text files of a brand folder on disk, keyed by path. */
export function brandTexts(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => /\.(?:md|ya?ml)$/.test(path))
  assert.ok(paths.length > 0)
  return Object.fromEntries(paths.map(path => [path, readFileSync(join(folder, path), 'utf8')]))
}

async function readBrand(page: Page): Promise<Record<string, string>> {
  return JSON.parse(await page.evaluate('readBrand().then(JSON.stringify)'))
}

function changesBetween(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const changes = Object.keys({ ...before, ...after }).flatMap(path => {
    const lines = changedLines(before[path] ?? '', after[path] ?? '')
    return lines.length === 0 ? [] : [[path, lines] as const]
  })
  return Object.fromEntries(changes)
}

/** The lines between the common beginning and end of two files. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before, after].map(text => text.split(/(?<=\n)/))
  if (!old || !now || before === after) return []
  let start = 0
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const shown = (sign: string, lines: readonly string[]) =>
    lines.map(line => `${sign}${JSON.stringify(line).slice(1, -1)}`)
  return [...shown('-', old.slice(start, old.length - end)), ...shown('+', now.slice(start, now.length - end))]
}
