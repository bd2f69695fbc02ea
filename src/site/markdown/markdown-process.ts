import process from 'node:process'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { wordsFor } from '../words/words.ts'
import { type ChangedPage, type PageSource, renderChanges } from './changed-words.ts'
import { type RenderedPage, renderMarkdown } from './markdown.ts'

/** A page to render, or two versions of one to compare, as sent to the process. */
export type MarkdownTask = PageSource | ChangedPage

/** The rendered page with its HTML as a string, or the reason why it cannot be rendered. */
export type MarkdownAnswer = Result<Omit<RenderedPage, 'title' | 'html'> & { title?: string; html: string }, string>

// The program of a child process. It exits when its parent disconnects.
process.on('message', (task: MarkdownTask) => process.send?.(answer(task)))

function answer(task: MarkdownTask): MarkdownAnswer {
  const context = 'context' in task ? task.context : (task.after ?? task.before)?.context
  try {
    const { title, html, ...page } = 'context' in task ? renderMarkdown(task.text, task.context) : compare(task)
    const texts = [html.text, title?.text ?? '', ...page.headings.flatMap(({ id, text }) => [id, text])]
    const length = texts.reduce((sum, { length }) => sum + length, 0)
    if (length > MAX_HTML) return failed(`${wordsFor(context?.lang).pages.tooLarge}`)
    return ok({ ...page, html: html.text, ...(title && { title: title.text }) })
  } catch {
    return failed(`${wordsFor(context?.lang).pages.tooLarge}`) // The stack overflowed, or the references of the page expand too far.
  }
}

function compare(task: ChangedPage): RenderedPage {
  return { html: renderChanges(task), headings: [], excerpt: '', hasTypeSamples: false, isComposed: false }
}

/** Ten times the maximum size of a page in Markdown. */
const MAX_HTML = 10 * 1024 * 1024
