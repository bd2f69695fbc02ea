import process from 'node:process'
import { failed, ok, type Result } from '../../base/result.ts'
import { type RenderedPage, renderMarkdown } from './markdown.ts'
import type { Picture } from './page-pictures.ts'

/** A page to render, as the process is sent it. */
export type MarkdownTask = { text: string; pictures: ReadonlyMap<string, Picture> }

/** The rendered page, its HTML as text, or why it cannot be rendered. */
export type MarkdownAnswer = Result<Omit<RenderedPage, 'html'> & { html: string }, string>

// The program of a child process, which ends when its parent disconnects.
process.on('message', (task: MarkdownTask) => process.send?.(answer(task)))

function answer({ text, pictures }: MarkdownTask): MarkdownAnswer {
  try {
    const page = renderMarkdown(text, pictures)
    const html = page.html.text
    const texts = [html, page.title?.text ?? '', ...page.headings.flatMap(({ id, text }) => [id, text])]
    const length = texts.reduce((sum, { length }) => sum + length, 0)
    return length > MAX_HTML ? failed(TOO_LARGE) : ok({ ...page, html })
  } catch {
    return failed(TOO_LARGE) // The stack overflowed, or the references of the page expand too far.
  }
}

/** Ten times as much as a page may have as Markdown. */
const MAX_HTML = 10 * 1024 * 1024

const TOO_LARGE = 'it is nested too deeply, or many times larger as HTML'
