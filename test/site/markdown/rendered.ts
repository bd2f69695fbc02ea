import assert from 'node:assert/strict'
import type { PageDetails } from '#site/markdown/enhance.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import type { Picture } from '#site/markdown/page-pictures.ts'

const PICTURES = new Map<string, Picture>([
  ['/w/p/-/files/k/logo.svg', { width: 300, height: 100, alt: 'The logo' }],
  ['/w/p/-/files/k/plan.svg', { width: 400, height: 300 }],
  ['/w/p/-/files/k/van.jpg', { width: 1600, height: 900, srcset: 'van.webp 640w' }],
  ['/w/p/-/files/k/tall.jpg', { width: 1600, height: 2400, srcset: 'tall.webp 640w' }],
  ['/w/p/-/files/k/plain.png', { width: 40, height: 20 }],
])

export const CONTEXT: PageDetails = { name: 'Page', pictures: PICTURES }

/** Checks that each source gives this HTML as a page; `¶id¶` is short for the link of a heading to itself. */
export function assertRendered(cases: readonly (readonly [source: string, html: string])[]): void {
  for (const [source, html] of cases) assert.equal(withShortAnchors(renderedText(source)), html, source)
}

/** Writes `¶id¶` for the link of a heading to itself. */
export function withShortAnchors(html: string): string {
  return html.replace(/<a class="anchor" href="#([^"]+)" aria-label="Link to this section">#<\/a>/g, '¶$1¶')
}

/** Renders a page with its title. */
export function renderedText(source: string): string {
  const { title, html } = renderMarkdown(source, CONTEXT)
  return `${title?.text ?? ''}${html.text}`
}
