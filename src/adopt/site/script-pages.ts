import { dirname, join } from 'node:path/posix'
import { pick } from '#platform/base/object.ts'
import { settleAll } from '#platform/base/promise.ts'
import { countWords } from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import type { Report } from '../report/report.ts'
import { placeOnSite } from '../sources/facts.ts'
import { shownPath } from '../sources/source.ts'

/** Pages, and the files whose places other pages took. */
type Placed = { documents: Document[]; leftOut: Report['leftOut'] }

/**
 * Gives a page in Markdown the place of the HTML that shows it by a script, as in `Flatdoc.file('guide.md')`. Of several
 * that a script names, the first one is shown at first.
 */
export async function placeScriptPages(pages: readonly Document[]): Promise<Placed> {
  const shells = pages.filter(({ head, text }) => head !== undefined && countWords(text) < MAX_WORDS)
  const named = await settleAll(shells.map(async shell => ({ shell, shown: await shownBy(shell, pages) })))
  const shellOf = new Map(named.flatMap(({ shell, shown }) => (shown ? [[shown, shell] as const] : [])))
  const replaced = new Map(Array.from(shellOf, ([shown, shell]) => [shell, shown]))
  return {
    documents: pages.filter(page => !replaced.has(page)).map(page => placedAt(page, shellOf.get(page))),
    leftOut: Array.from(replaced, ([{ entry }, shown]) => ({
      path: shownPath(entry),
      reason: `a script shows ${shownPath(shown.entry)} in it, which has its place`,
    })),
  }
}

/** A page with more words has its own text. */
const MAX_WORDS = 40
const MAX_BYTES = 1 << 20

/** The first page in Markdown that the scripts of a page name. */
async function shownBy({ entry }: Document, pages: readonly Document[]): Promise<Document | undefined> {
  const text = await entry.read(MAX_BYTES).then(String, () => '')
  const scripts = text
    .split(/<script/i)
    .slice(1)
    .map(part => part.split(/<\/script/i, 1).join(''))
  const names = Array.from(scripts.join('\n').matchAll(MARKDOWN), ([, name = '']) => name)
  const paths = names.flatMap(name => [join(dirname(entry.path), name), join('.', name)])
  const written = new Map(
    pages.filter(each => each.entry.label === entry.label).map(each => [each.entry.path, each] as const),
  )
  return paths.map(path => written.get(path)).find(page => page !== undefined)
}

const MARKDOWN = /["'`]([^"'`\s<>]{1,200}\.md)["'`]/g

/** A page at the place of another one, from which its links lead. */
function placedAt(source: Document, shell: Document | undefined): Document {
  if (!shell) return source
  const entry = { ...source.entry, path: shell.entry.path, shown: shownPath(source.entry) }
  return { ...source, entry, ...pick(shell, ['head']), ...placeOnSite(entry.path, source.facts) }
}
