import { applyEdits, type Edit, lineCounter } from '#base/text.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { splitOtherFrontMatter } from '#intake/pages/other-front-matter.ts'
import { addNotes } from '../report/report.ts'
import { readMeta } from './front-matter.ts'
import type { ConvertedPage, PageTask, Pass } from './page.ts'

/** Converts a page of another system: each pass changes what it knows, and leaves the rest of the text as it is. */
export function convertMarkdown(source: string, task: PageTask): ConvertedPage {
  const split = splitOtherFrontMatter(source) ?? splitFrontMatter(source)
  const { meta, notes } = readMeta(split, task)
  let text = split.content
  let lines = text.split('\n').map((_, at) => split.contentLine + at)
  for (const pass of PASSES) {
    const lineAt = lineCounter(text)
    const done = pass(text, { task, lineOf: offset => lines[lineAt(offset) - 1] ?? 1 })
    addNotes(notes, done.notes)
    lines = linesAfter(text, lines, done.edits)
    text = applyEdits(text, done.edits)
  }
  return { text, lines, meta, notes, pictures: [], tables: [] }
}

const PASSES: readonly Pass[] = []

/** The line in the source of each line of an edited text. */
function linesAfter(text: string, lines: readonly number[], edits: readonly Edit[]): number[] {
  const lineAt = lineCounter(text)
  const after: number[] = [lines[0] ?? 1]
  let end = 0
  const copy = (to: number) => {
    for (let at = text.indexOf('\n', end); at !== -1 && at < to; at = text.indexOf('\n', at + 1))
      after.push(lines[lineAt(at + 1) - 1] ?? 1)
  }
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < end) continue
    copy(edit.start)
    const line = lines[lineAt(edit.start) - 1] ?? 1
    for (let breaks = edit.text.split('\n').length; breaks > 1; breaks--) after.push(line)
    end = edit.end
  }
  copy(text.length)
  return after
}
