import process from 'node:process'
import { failed, ok, type Result } from '../../base/result.ts'
import { wordsFor } from '../words/words.ts'
import { type RenderedPage, renderMarkdown } from './markdown.ts'
import type { PageContext } from './page-context.ts'

/** A page to render, as the process is sent it. */
export type MarkdownTask = { text: string; context: PageContext }

/** The rendered page, its HTML as text, or why it cannot be rendered. */
export type MarkdownAnswer = Result<Omit<RenderedPage, 'title' | 'html'> & { title?: string; html: string }, string>

// The program of a child process, which ends when its parent disconnects.
process.on('message', (task: MarkdownTask) => process.send?.(answer(task)))

function answer({ text, context }: MarkdownTask): MarkdownAnswer {
  try {
    const { title, html, ...page } = renderMarkdown(text, context)
    const texts = [html.text, title?.text ?? '', ...page.headings.flatMap(({ id, text }) => [id, text])]
    const length = texts.reduce((sum, { length }) => sum + length, 0)
    if (length > MAX_HTML) return failed(`${wordsFor(context.lang).pages.tooLarge}`)
    return ok({ ...page, html: html.text, ...(title && { title: title.text }) })
  } catch {
    return failed(`${wordsFor(context.lang).pages.tooLarge}`) // The stack overflowed, or the references of the page expand too far.
  }
}

/** Ten times as much as a page may have as Markdown. */
const MAX_HTML = 10 * 1024 * 1024
