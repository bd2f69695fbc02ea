import { htmlText } from '#site/markdown/markdown.ts'
import { parsedHtml } from './parsed-html.ts'

/** An example of a specification: Markdown and its expected HTML. */
export type Example = { markdown: string; html: string }

/** The numbers, from 1, of the examples whose HTML tree differs from the specification. */
export function differing(examples: readonly Example[], render: (markdown: string) => string): number[] {
  // The final line break of an example belongs to no element, not even to an unclosed one.
  const expected = (html: string) => tidy(htmlText(parsedHtml(html.replace(/\n$/, ''))))
  return examples.flatMap(({ markdown, html }, at) => (tidy(render(markdown)) === expected(html) ? [] : [at + 1]))
}

function tidy(html: string): string {
  return html.trim().replace(/\n(?=(?:<\/\w+>)+$)/, '')
}
