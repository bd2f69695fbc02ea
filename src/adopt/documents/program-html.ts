import { moduleMarkup } from '#formats/json/module-markup.ts'
import { attempt } from '#platform/base/result.ts'
import { escapeHtml, wordTable } from '#platform/base/text.ts'

/** The markup in a component as HTML, without what only its program knows; empty if it has none. */
export function programHtml(source: string, format: string): string {
  return staticHtml(MARKUP.get(format)?.(source) ?? '')
}

const MARKUP = wordTable<(source: string) => string>([
  [source => jsxIn(source, 'js'), 'jsx js'],
  [source => jsxIn(source, 'tsx'), 'tsx'],
  // The front matter of such a file is a program, and a `template` is the page.
  [source => source.replace(MODULE_ABOVE, '').replace(TEMPLATE, ''), 'astro svelte vue'],
])

function jsxIn(source: string, kind: 'js' | 'tsx'): string {
  return (attempt(() => moduleMarkup(source, kind)) ?? []).join('\n')
}

const MODULE_ABOVE = /^---\r?\n[\s\S]*?\n---(?=\r?\n)/
const TEMPLATE = /<\/?template\b[^<>]*>/g

/** Markup with its texts in braces, and without its other expressions. An element that has nothing but props is one of its own. */
function staticHtml(markup: string): string {
  let html = markup.replace(SCRIPTS, '').replace(TEXT_IN_BRACES, (_, _quote, text) => escapeHtml(text))
  for (let depth = 0; depth < MAX_DEPTH && html.includes('{'); depth++) html = html.replace(INNER_BRACES, HOLE)
  const closed = html.replaceAll(HOLE_AS_VALUE, '').replaceAll(HOLE, ' ')
  return closed.replace(SINGLE, '').replaceAll(FRAGMENT, '')
}

const HOLE = '\uFFFC'
const MAX_DEPTH = 20
const SCRIPTS = /<(script|style)\b[^<>]*>[\s\S]*?<\/\1>/g
/** `{'Logo'}` */
const TEXT_IN_BRACES = /\{\s{0,9}(["'`])([^"'`{}]*)\1\s{0,9}\}/g
const INNER_BRACES = /\{[^{}]*\}/g
const HOLE_AS_VALUE = /\s[\w:@.-]{1,100}=\uFFFC/g
/** An element of a component without content. */
const SINGLE = /<[A-Z][\w.]{0,100}(?:\s[^<>]{0,2000})?\/>/g
const FRAGMENT = /<\/?>/g
