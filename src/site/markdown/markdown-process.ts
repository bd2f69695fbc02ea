import process from 'node:process'
import { renderMarkdown } from './markdown.ts'
import type { MarkdownAnswer, MarkdownTask } from './markdown-task.ts'

// The program of a process of its own, which ends when the one that started it lets go.
process.on('message', (task: MarkdownTask) => process.send?.(answer(task)))

function answer({ text, pictures }: MarkdownTask): MarkdownAnswer {
  try {
    const page = renderMarkdown(text, pictures)
    const html = page.html.text
    const texts = [html, page.title?.text ?? '', ...page.headings.flatMap(({ id, text }) => [id, text])]
    return texts.reduce((sum, { length }) => sum + length, 0) > MAX_HTML ? { problem: TOO_LARGE } : { ...page, html }
  } catch {
    return { problem: TOO_LARGE } // Recursion came to its end, or the references of the page grow without bounds.
  }
}

/** Ten times as much as a page may have as Markdown. */
const MAX_HTML = 10 * 1024 * 1024

const TOO_LARGE = 'it is nested too deeply, or many times larger as HTML'
