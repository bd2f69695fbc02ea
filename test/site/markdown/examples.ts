import { htmlText } from '../../../src/site/markdown/markdown.ts'
import { parsedHtml } from './parsed-html.ts'

/** An example of a specification: Markdown, and the HTML that it asks for. */
export type Example = { markdown: string; html: string }

/** The numbers, from 1, of the examples that are made another tree of than they should. */
export function differing(examples: readonly Example[], render: (markdown: string) => string): number[] {
  // The line end at the end of an example belongs to no element, even to one that is left open.
  const expected = (html: string) => tidy(htmlText(parsedHtml(html.replace(/\n$/, ''))))
  return examples.flatMap(({ markdown, html }, at) => (tidy(render(markdown)) === expected(html) ? [] : [at + 1]))
}

function tidy(html: string): string {
  return html.trim().replace(/\n(?=(?:<\/\w+>)+$)/, '')
}
