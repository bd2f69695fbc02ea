import assert from 'node:assert/strict'
import { renderMarkdown } from '../../../src/site/markdown/markdown.ts'
import type { Picture } from '../../../src/site/markdown/page-pictures.ts'

export const PICTURES = new Map<string, Picture>([
  ['/w/p/-/files/k/logo.svg', { width: 300, height: 100, alt: 'The logo' }],
  ['/w/p/-/files/k/plain.png', { width: 40, height: 20 }],
])

/** Attributes of every picture, and of a link to another site. */
export const LAZY = 'loading="lazy" decoding="async"'
export const EXTERNAL = 'rel="noopener noreferrer"'

/** Each source, alone on a page, becomes this HTML, in which `¶id¶` stands for the link that a heading has to itself. */
export function assertRendered(cases: readonly (readonly [source: string, html: string])[]): void {
  for (const [source, html] of cases) assert.equal(renderMarkdown(source, PICTURES).html.text, expected(html), source)
}

function expected(html: string): string {
  return html.replace(
    /¶([^¶]+)¶/g,
    (_, id: string) => `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`,
  )
}
