import { fileStem, folderOf } from '#brand/file.ts'
import { isObject, type Json } from '#formats/json/json.ts'
import { inFormats, wordSet } from '#platform/base/text.ts'
import type { Document } from './document.ts'
import { programHtml } from './documents/program-html.ts'
import { readData } from './pages/data.ts'
import { dataMarkdown, titleOf } from './pages/data-markdown.ts'
import { proseWords } from './report/missing-words.ts'
import { withGuess } from './site/copies.ts'
import { isAboutBrand, wordsOfFile } from './site/words.ts'
import { formatOf } from './sources/leave-out.ts'
import { bytesEntry, type Entry, shownPath } from './sources/source.ts'

/** A page made of data or of a program, and the number of its words. */
type ProgramPage = { entry: Entry; words: number; kind: 'page' | 'component' | 'data' }

/**
 * The data that a script or a template shows, and the markup of components, as pages, if they have more text than all pages
 * of a source. The path of such a page in the report ends in its part of the file.
 */
export async function programPages(entries: readonly Entry[], pages: readonly Document[]): Promise<Entry[]> {
  const shown = pages.reduce((sum, { text }) => sum + countProse(text), 0)
  if (shown > MAX_SHOWN) return []
  const found: ProgramPage[] = []
  let room = MAX_ALL_BYTES
  for (const entry of entries.filter(each => SHOWN.test(each.path) && isAboutBrand(each))) {
    if (entry.size > Math.min(MAX_BYTES, room)) continue
    room -= entry.size
    found.push(...(await pagesOf(entry)))
  }
  const wordsOf = (kinds: readonly ProgramPage['kind'][]) =>
    found.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { words }) => sum + words, 0)
  if (wordsOf(['page', 'component', 'data']) <= shown) return []
  // Where pages have nearly all text, components are what surrounds it.
  const hasPages = wordsOf(['page']) > 4 * wordsOf(['component'])
  return found.filter(({ kind }) => !(hasPages && kind === 'component')).map(({ entry }) => entry)
}

/** A page of a program with a row of the report. */
export function toldProgram(source: Document): Document {
  return withGuess(source, 'the source has it only as data or in a program')
}

const SHOWN = inFormats('json, yml, yaml, toml, js, mjs, cjs, ts, mts, jsx, tsx, astro, svelte, vue')
/** A source whose pages have more words has its text there. */
const MAX_SHOWN = 1500
/** The fewest words of a file with pages, of a part of it that is one, and of a component. */
const MIN_WORDS = 100
const MIN_PART = 20
const MIN_MARKUP = 40
/** A file with more parts is one page. */
const MAX_PARTS = 10
const MAX_BYTES = 1 << 20
/** Of all files that are read. */
const MAX_ALL_BYTES = 64 << 20

/** Each part of data with enough text is a page. */
async function pagesOf(entry: Entry): Promise<ProgramPage[]> {
  const text = await entry.read(MAX_BYTES).then(String, () => '')
  const prose = wordsOfFile(entry.path, text).length
  const html = prose < MIN_PART ? '' : programHtml(text, formatOf(entry.path))
  const words = countProse(html.replace(/<[^<>]*>/g, ' '))
  const { path, kind } = pagePlace(entry.path)
  if (words >= MIN_MARKUP) return [{ entry: partOf(entry, path, 'markup', html), words, kind }]
  if (prose < MIN_WORDS) return []
  const data = readData(entry.path, text, new Map())
  const parts = data?.ok ? partsOf(fileStem(entry.path), data.value.value) : []
  return parts.flatMap((part, at) => pageOf(entry, part, at + 1))
}

/** The path of a page on the site: of a component below the folder of pages, else its name. */
function pagePlace(path: string): { path: string; kind: 'page' | 'component' } {
  const folders = folderOf(path).split('/')
  const top = folders.findLastIndex(folder => PAGE_FOLDERS.has(folder))
  const inner = top === -1 ? [] : folders.slice(top + 1)
  const name = fileStem(path)
  const place = [...inner, `${INDEXES.has(name) ? 'index' : name}.html`].join('/')
  return { path: place, kind: top === -1 ? 'component' : 'page' }
}

const PAGE_FOLDERS = wordSet('pages routes app views')
const INDEXES = wordSet('page +page index')

function partOf(entry: Entry, path: string, part: string, source: string): Entry {
  const madeOf = shownPath(entry)
  return bytesEntry({ path, label: entry.label, shown: `${madeOf}#part=${part}`, madeOf }, Buffer.from(source))
}

function partsOf(name: string, value: Json): (readonly [name: string, part: Json])[] {
  const parts = isObject(value) ? [...value] : []
  return parts.length > 1 && parts.length <= MAX_PARTS ? parts : [[name, value]]
}

function pageOf(entry: Entry, [name, part]: readonly [string, Json], order: number): ProgramPage[] {
  const body = dataMarkdown(part, 2).join('\n\n')
  const words = countProse(body)
  if (words < MIN_PART) return []
  const source = `---\norder: ${order}\n---\n\n# ${titleOf(name)}\n\n${body}\n`
  return [{ entry: partOf(entry, `${name}.md`, name, source), words, kind: 'data' }]
}

function countProse(text: string): number {
  return proseWords(text).length
}
