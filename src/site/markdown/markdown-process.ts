import process from 'node:process'
import { failed, ok, type Result } from '../../base/result.ts'
import { wordsFor } from '../words/words.ts'
import type { PageDetails } from './enhance.ts'
import { type RenderedPage, renderMarkdown } from './markdown.ts'

/** A page to render, as sent to the process. */
export type MarkdownTask = { text: string; context: PageDetails }

/** The rendered page with its HTML as a string, or the reason why it cannot be rendered. */
export type MarkdownAnswer = Result<Omit<RenderedPage, 'title' | 'html'> & { title?: string; html: string }, string>

// The program of a child process. It exits when its parent disconnects.
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

/** Ten times the maximum size of a page in Markdown. */
const MAX_HTML = 10 * 1024 * 1024
