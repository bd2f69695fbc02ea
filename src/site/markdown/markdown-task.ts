import type { RenderedPage } from './markdown.ts'
import type { Picture } from './page-pictures.ts'

/** A page to render, as it is sent to the process that does it. */
export type MarkdownTask = { text: string; pictures: ReadonlyMap<string, Picture> }

/** The page, its HTML as text, or why there is none. */
export type MarkdownAnswer = (Omit<RenderedPage, 'html'> & { html: string }) | { problem: string }
