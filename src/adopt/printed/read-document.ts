import { closeSync, constants, openSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, parse } from 'node:path'
import { stringify } from 'yaml'
import { slug } from '#brand/ids.ts'
import { openPathAllocator } from '#brand/portable-paths.ts'
import { OperationalError } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { inFormats } from '#platform/base/text.ts'
import { isAnswer } from '#platform/processes/pool.ts'
import { registerProgram } from '#platform/processes/program-code.ts'
import { kill, startSandboxed } from '#platform/processes/sandbox.ts'
import type { Report } from '../report/report.ts'
import { fileEntry } from '../sources/folder.ts'
import { isAbout, isPage } from '../sources/leave-out.ts'
import { bytesEntry, type Entry, type Listing, shownPath } from '../sources/source.ts'
import type { PdfAnswer, PdfPicture } from './pdf-process.ts'

/** A document whose pages became chapters: what to add to the report once these have their places. */
export type PrintedDocument = {
  path: string
  chapters: { entry: Entry; pages: readonly number[] }[]
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
 * no pages beside those about its repository.
 *
 * @throws OperationalError `source_unreadable` if a named document is not there or cannot be read
 */
export async function readDocuments(
  listings: readonly Listing[],
  options: DocumentOptions,
): Promise<PrintedDocument[]> {
  const { pages } = options
  const missing = pages.find(path => !listings.some(({ entries }) => entries.some(each => each.path === path)))
  const other = missing ?? pages.find(path => !PDF.test(path))
  const problem = missing === undefined ? 'is no PDF' : 'no source has it'
  if (other !== undefined) throw new OperationalError('source_unreadable', `--pages ${other}: ${problem}`)
  const documents: PrintedDocument[] = []
  for (const listing of listings) {
    const { entries } = listing
    const all = entries.filter(({ path }) => PDF.test(path))
    const hasPages = entries.some(({ path }) => isPage(path) && !isAbout(path))
    const only = hasPages || all.length !== 1 ? [] : all
    const isMeant = entries.length === 1 || pages.length > 0
    for (const document of pages.length > 0 ? all.filter(({ path }) => pages.includes(path)) : only) {
      const read = await readDocument(listing, document, options, isMeant ? 0 : MIN_PAGES)
      if (read.ok) documents.push(read.value)
      else if (isMeant) throw new OperationalError('source_unreadable', `${shownPath(document)} ${read.problem}`)
    }
  }
  return documents
}

const PDF = inFormats('pdf')
/** A shorter document among other files is one of them. */
const MIN_PAGES = 4

/**
 * Reads a PDF as pages in HTML and their pictures, which take its place in a listing; the document itself stays a file.
 *
 * @returns failed with a reason why it cannot be read
 */
async function readDocument(
  listing: Listing,
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
  document.isDownload = true
  listing.entries.push(...chapters.map(({ entry }) => entry), ...pictures)
  return ok({ path, chapters, answer: answer.value })
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

/** Adds what became of each page of a document: those of a chapter share its place, and a page with several has the first. */
export function reportPages(report: Report, { path, chapters, answer }: PrintedDocument): void {
  const begun = new Set<string>()
  for (const { entry, pages } of chapters) {
    const from = shownPath(entry)
    const place = report.placed.find(row => row.from === from && parse(row.to).name === parse(entry.path).name)
    if (begun.has(from)) report.placed = report.placed.filter(row => row !== place)
    begun.add(from)
    for (const page of pages.slice(1)) {
      if (place) report.merged.push({ from: `${path}#page=${page}`, into: place.to })
      else report.leftOut.push({ path: `${path}#page=${page}`, reason: 'its chapter was left out' })
    }
  }
  for (const page of answer.contents)
    report.leftOut.push({ path: `${path}#page=${page}`, reason: 'a table of contents, which is the menu' })
  for (const { page, ...row } of answer.lost) report.lost.push({ path: `${path}#page=${page}`, line: 1, ...row })
  for (const { page, ...row } of answer.guessed) report.guessed.push({ path: `${path}#page=${page}`, ...row })
}
