import { closeSync, constants, openSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, parse } from 'node:path'
import { stringify } from 'yaml'
import { slug } from '#brand/ids.ts'
import { openPathAllocator } from '#brand/portable-paths.ts'
import { OperationalError } from '#platform/base/error.ts'
import { valuesAt, withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { inFormats } from '#platform/base/text.ts'
import { isAnswer } from '#platform/processes/pool.ts'
import { registerProgram } from '#platform/processes/program-code.ts'
import { kill, startSandboxed } from '#platform/processes/sandbox.ts'
import { joinNotes, noNotes, type Report } from '../report/report.ts'
import { fileEntry } from '../sources/folder.ts'
import { isAbout, isPage } from '../sources/leave-out.ts'
import { bytesEntry, type Entry, type Listing, shownPath } from '../sources/source.ts'
import type { PdfAnswer, PdfPicture } from './pdf-process.ts'

/** A document whose pages became chapters, and the pictures on them. */
export type PrintedDocument = {
  path: string
  chapters: { entry: Entry; pages: readonly number[] }[]
  pictures: Entry[]
  answer: PdfAnswer
}

type DocumentOptions = {
  /** The paths of documents that are read as pages. */
  pages: readonly string[]
  opened: AsyncDisposableStack
  signal: AbortSignal
}

/**
 * Reads the documents of sources that are their pages: those named, or the only one with text in a source that has
 * no pages beside those about its repository. Their chapters and pictures are entries of the new listings.
 *
 * @throws OperationalError `source_unreadable` if a named document is not there or cannot be read
 */
export async function readDocuments(
  listings: readonly Listing[],
  options: DocumentOptions,
): Promise<{ listings: Listing[]; documents: PrintedDocument[] }> {
  const { pages } = options
  const missing = pages.find(path => !listings.some(({ entries }) => entries.some(each => each.path === path)))
  const other = missing ?? pages.find(path => !PDF.test(path))
  const problem = missing === undefined ? 'is no PDF' : 'no source has it'
  if (other !== undefined) throw new OperationalError('source_unreadable', `--pages ${other}: ${problem}`)
  const documents = new Map<Entry, PrintedDocument>()
  for (const { entries } of listings) {
    const all = entries.filter(({ path }) => PDF.test(path))
    const hasPages = entries.some(({ path }) => isPage(path) && !isAbout(path))
    const only = hasPages || all.length !== 1 ? [] : all
    const isMeant = entries.length === 1 || pages.length > 0
    for (const document of pages.length > 0 ? all.filter(({ path }) => pages.includes(path)) : only) {
      const read = await readDocument(document, options, isMeant ? 0 : MIN_PAGES)
      if (read.ok) documents.set(document, read.value)
      else if (isMeant) throw new OperationalError('source_unreadable', `${shownPath(document)} ${read.problem}`)
    }
  }
  return { listings: listings.map(listing => withChapters(listing, documents)), documents: [...documents.values()] }
}

const PDF = inFormats('pdf')
/** A shorter document among other files is one of them. */
const MIN_PAGES = 4

/** A listing with the chapters and pictures of its documents, which themselves stay files, and their rows of the report. */
function withChapters(listing: Listing, documents: ReadonlyMap<Entry, PrintedDocument>): Listing {
  const own = valuesAt(documents, listing.entries)
  const rows = own.map(({ path, answer }) => {
    const at = (page: number) => `${path}#page=${page}`
    const lost = answer.lost.map(({ page, ...row }) => ({ path: at(page), line: 1, ...row }))
    const guessed = answer.guessed.map(({ page, ...row }) => ({ path: at(page), ...row }))
    const contents = answer.contents.map(page => ({ path: at(page), reason: CONTENTS }))
    return { contents, notes: { ...noNotes(), lost, guessed } }
  })
  return {
    ...listing,
    entries: [
      ...listing.entries.map(entry => (documents.has(entry) ? { ...entry, isDownload: true } : entry)),
      ...own.flatMap(({ chapters, pictures }) => [...chapters.map(({ entry }) => entry), ...pictures]),
    ],
    leftOut: [...listing.leftOut, ...rows.flatMap(({ contents }) => contents)],
    notes: joinNotes(rows.map(({ notes }) => notes)),
  }
}

const CONTENTS = 'a table of contents, which is the menu'

/**
 * Reads a PDF as pages in HTML and their pictures.
 *
 * @returns failed with a reason why it cannot be read
 */
async function readDocument(
  document: Entry,
  { opened, signal }: DocumentOptions,
  minPages: number,
): Promise<Result<PrintedDocument, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const file = document.place ?? join(folder, 'document.pdf')
  if (file !== document.place) await document.copyTo(file)
  const { label } = document
  const [path, name] = [shownPath(document), basename(document.path)]
  const beside = (to: string) => document.path.slice(0, -name.length) + to
  const pictures: Entry[] = []
  const keep = ({ name: to, bytes }: PdfPicture) => {
    const place = join(folder, String(pictures.length))
    writeFileSync(place, bytes)
    pictures.push({ ...fileEntry(place, beside(to), label, statSync(place)), shown: `${path}#${to}` })
  }
  const answer = await readConfined(file, keep, signal)
  if (!answer.ok) return answer
  if (answer.value.textPages < minPages) return failed('has too few pages with text')
  const paths = openPathAllocator()
  let above = ''
  const chapters = answer.value.chapters.map(({ title, depth, pages, html, cover }, at) => {
    const file = '../'.repeat(depth) + encodeURI(name)
    const links = pages.map(page => `<a href="${file}#page=${page}">p. ${page}</a>`).join(', ')
    const settings = stringify(withoutUndefined({ order: at + 1, cover }))
    const text = `---\n${settings}---\n<main>${html}\n<p>In the document: ${links}</p></main>\n`
    const to = paths.take(`${depth > 0 ? above : ''}${at === 0 ? 'index' : slug(title) || `page-${at + 1}`}.html`)
    if (depth === 0) above = to.replace('.html', '/')
    const entry = { path: beside(to), label, shown: `${path}#page=${pages[0]}` }
    return { entry: bytesEntry(entry, Buffer.from(text)), pages }
  })
  return ok({ path, chapters, pictures, answer: answer.value })
}

/** 256 MiB for JavaScript, and as much for PDFium. */
const MEMORY = ['--max-old-space-size=256', '--wasm-max-mem-pages=4096']

async function readConfined(
  file: string,
  keep: (picture: PdfPicture) => void,
  signal: AbortSignal,
): Promise<Result<PdfAnswer, string>> {
  signal.throwIfAborted()
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  const program = registerProgram(new URL('./pdf-process', import.meta.url))
  const { child, listeners } = startSandboxed(program, { execArgv: MEMORY, file: descriptor })
  closeSync(descriptor)
  const { promise, resolve } = Promise.withResolvers<Result<PdfAnswer, string>>()
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_SECONDS * 1000)])
  limit.addEventListener('abort', () => resolve(failed(`could not be read in ${MAX_SECONDS} s`)))
  listeners.exited = (cause, error) => resolve(failed(`could not be read: ${error?.message ?? cause}`))
  listeners.message = message => {
    if (!isAnswer<PdfPicture | Result<PdfAnswer, string>>(message)) return
    if ('bytes' in message) keep(message)
    else resolve(message)
  }
  child.send({})
  const answer = await promise
  await kill(child)
  signal.throwIfAborted()
  return answer
}

const MAX_SECONDS = 60

/** A report with each page of documents: those of a chapter share its place, and a page with several has the first. */
export function withPages(report: Report, documents: readonly PrintedDocument[]): Report {
  const all = documents.flatMap(({ path, chapters }) => chapters.map(chapter => ({ path, ...chapter })))
  const placed = all.map(({ path, entry, pages }) => {
    const from = shownPath(entry)
    const place = report.placed.find(row => row.from === from && parse(row.to).name === parse(entry.path).name)
    return { from, place, others: pages.slice(1).map(page => `${path}#page=${page}`) }
  })
  const isLater = ({ from }: { from: string }, at: number) => placed.findIndex(other => other.from === from) < at
  const repeated = placed.filter(isLater).map(({ place }) => place)
  return {
    ...report,
    placed: report.placed.filter(row => !repeated.includes(row)),
    merged: [
      ...report.merged,
      ...placed.flatMap(({ place, others }) => (place ? others.map(from => ({ from, into: place.to })) : [])),
    ],
    leftOut: [
      ...report.leftOut,
      ...placed.flatMap(({ place, others }) =>
        place ? [] : others.map(path => ({ path, reason: 'its chapter was left out' })),
      ),
    ],
  }
}
