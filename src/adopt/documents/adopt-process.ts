import process from 'node:process'
import { decodeText } from '#platform/base/bytes.ts'
import { errorMessage } from '#platform/base/error.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { Source } from '../conversion/source.ts'
import type { DocumentContent } from '../document.ts'
import { applyPasses, convertMarkdown } from '../pages/convert-page.ts'
import { insertIncludes } from '../pages/includes.ts'
import { liquid } from '../pages/liquid.ts'
import type { PageTask } from '../pages/page.ts'
import { sourceRows } from '../pages/source-text.ts'
import { tags } from '../pages/tags.ts'
import { addNotes } from '../report/report.ts'

// This program runs in a child process, which ends when its parent disconnects. Its answers are in the order of its tasks:
// pages, lists of files with styles, and style sheets for Sass. An error ends it, so that its parent need not wait for the time limit.
let last = Promise.resolve()
process.on('message', (task: ConvertTask | SassTask | readonly Source[]) => {
  last = last.then(async () => void process.send?.(await answer(task)))
})
process.send?.('ready')

/** Style sheets for Sass. */
export type SassTask = { sheets: readonly Source[] }

async function answer(task: ConvertTask | SassTask | readonly Source[]): Promise<Result<unknown, string>> {
  if ('task' in task) return convertBytes(task.bytes, task.task)
  if ('sheets' in task)
    return ok(await (await import('../conversion/style-sheets/compile-sheets.ts')).compileSheets(task.sheets))
  return ok((await import('../conversion/source.ts')).readSources(task))
}

/** The bytes of a page, and how to convert them. */
export type ConvertTask = { bytes: Uint8Array; task: PageTask }

/** Converts a page of any kind, or says why not. Loads the libraries of its kind only then. */
async function convertBytes(bytes: Uint8Array, task: PageTask): Promise<Result<DocumentContent, string>> {
  try {
    const page =
      task.kind === 'docx' ? await (await import('./word.ts')).convertWord(bytes, task) : await convertText(bytes, task)
    page.notes.lost.push(...sourceRows(page, task.shownPath))
    return ok(page)
  } catch (error) {
    return failed(error instanceof RangeError ? 'is nested too deeply' : errorMessage(error))
  }
}

async function convertText(bytes: Uint8Array, task: PageTask): Promise<DocumentContent> {
  const { text, guessed } = decodePage(bytes)
  const page = task.kind === 'html' ? await convertSite(text, task) : convertMarkdown(text, task)
  if (guessed !== undefined)
    page.notes.guessed.push({ path: task.shownPath, key: 'encoding', value: guessed, why: 'it is not UTF-8' })
  return page
}

/** Converts a page in HTML, also one with front matter and tags that a generator would read first. */
async function convertSite(source: string, task: PageTask): Promise<DocumentContent> {
  const { convertHtml } = await import('./html.ts')
  if (!source.startsWith('---')) return convertHtml(source, task)
  const { text, lines, meta, notes } = applyPasses(source, task, [liquid, insertIncludes, tags])
  const page = convertHtml(text, task)
  const lineOf = (line: number) => lines[line - 1] ?? 1
  for (const row of [...page.notes.lost, ...page.notes.converted]) row.line = lineOf(row.line)
  // A loop repeats what it has.
  const lost = new Map(page.notes.lost.map(row => [`${row.line} ${row.what} ${row.text}`, row]))
  page.notes.lost = [...lost.values()]
  addNotes(page.notes, notes)
  const { title = page.meta.title, description = page.meta.description } = meta
  return { ...page, lines: page.lines.map(lineOf), meta: { ...meta, title, description } }
}

/** The text of a page. HTML may name its encoding; without a name, text that is not UTF-8 is read as Windows-1252. */
function decodePage(bytes: Uint8Array): { text: string; guessed?: string } {
  const isWide = (at: number) => bytes[at] !== 0 && bytes[at + 1] === 0 && bytes[at + 3] === 0
  if (isWide(0)) return { text: new TextDecoder('utf-16le').decode(bytes), guessed: 'utf-16le' }
  const text = decodeText(bytes)
  if (text !== undefined) return { text }
  const start = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  const named = groupsOf(/<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i, start)[1] ?? 'utf-8'
  const decoded = attempt(() => new TextDecoder(named, { fatal: true }).decode(bytes))
  if (decoded !== undefined) return { text: decoded }
  return { text: new TextDecoder('windows-1252').decode(bytes), guessed: 'windows-1252' }
}
