import { fileStem } from '#brand/file.ts'
import { isObject, type Json } from '#formats/json/json.ts'
import { settleAll } from '#platform/base/promise.ts'
import { inFormats } from '#platform/base/text.ts'
import { readData } from './conversion/data.ts'
import { dataMarkdown, titleOf } from './conversion/data-markdown.ts'
import { proseWords } from './report/missing-words.ts'
import type { SourcePage } from './site/page-paths.ts'
import { isAboutBrand, isPageOrTemplate, wordsOfFile } from './site/words.ts'
import { bytesEntry, type Entry, shownPath } from './sources/source.ts'

/** A page of data, and the number of its words. */
type DataPage = { entry: Entry; words: number }

/**
 * The data that a script or a template shows, as pages, if it has more text than all pages of a source. The path of such a
 * page in the report ends in `#` and a key.
 */
export async function dataPages(entries: readonly Entry[], pages: readonly SourcePage[]): Promise<Entry[]> {
  const shown = pages.reduce((sum, { page }) => sum + countProse(page.text), 0)
  if (shown > MAX_SHOWN || !entries.some(isPageOrTemplate)) return []
  const files = entries.filter(entry => DATA.test(entry.path) && isAboutBrand(entry))
  const found = (await settleAll(files.map(pagesOf))).flat()
  const words = found.reduce((sum, page) => sum + page.words, 0)
  return words > shown ? found.map(({ entry }) => entry) : []
}

/** A page of data with a row of the report. */
export function toldData(source: SourcePage): SourcePage {
  const { entry, page } = source
  const row = { path: shownPath(entry), key: 'page', value: page.meta.title ?? source.place, why: WHY }
  return { ...source, page: { ...page, notes: { ...page.notes, guessed: [...page.notes.guessed, row] } } }
}

const WHY = 'the source has it only as data, whose keys are its headings'

/** The file of the source that a page of data is from; undefined for other pages. */
export function dataFile({ shown = '' }: Entry): string | undefined {
  return shown.includes(PART) ? shown.slice(0, shown.lastIndexOf(PART)) : undefined
}

const PART = '#data.'
const DATA = inFormats('json, yml, yaml, toml, js, mjs, cjs, ts, mts')
/** A source whose pages have more words has its text there. */
const MAX_SHOWN = 1500
/** The fewest words of a file with pages, and of a part of it that is one. */
const MIN_WORDS = 100
const MIN_PART = 20
const MAX_BYTES = 1 << 20

/** Each part of data with enough text is a page. */
async function pagesOf(entry: Entry): Promise<DataPage[]> {
  const text = entry.size > MAX_BYTES ? '' : await entry.read(MAX_BYTES).then(String, () => '')
  if (wordsOfFile(entry.path, text).length < MIN_WORDS) return []
  const data = readData(entry.path, text, new Map())
  return data?.ok
    ? partsOf(fileStem(entry.path), data.value.value).flatMap((part, at) => pageOf(entry, part, at + 1))
    : []
}

function partsOf(name: string, value: Json): (readonly [name: string, part: Json])[] {
  const parts = isObject(value) ? [...value] : []
  return parts.length > 1 ? parts : [[name, value]]
}

function pageOf(entry: Entry, [name, part]: readonly [string, Json], order: number): DataPage[] {
  const body = dataMarkdown(part, 2).join('\n\n')
  const words = countProse(body)
  if (words < MIN_PART) return []
  const source = `---\norder: ${order}\n---\n\n# ${titleOf(name)}\n\n${body}\n`
  const place = { path: `${name}.md`, label: entry.label, shown: shownPath(entry) + PART + name }
  return [{ entry: bytesEntry(place, Buffer.from(source)), words }]
}

function countProse(text: string): number {
  return proseWords(text).length
}
