import { toHtml } from 'hast-util-to-html'
import { isObject } from '#formats/json/json.ts'
import { moduleMarkup } from '#formats/json/module-markup.ts'
import { parseLines } from '#formats/markdown/markdown-tree.ts'
import { attempt } from '#platform/base/result.ts'
import { escapeHtml, groupsOf, withoutBetween, wordTable } from '#platform/base/text.ts'
import { readData } from '../pages/data.ts'
import { dataMarkdown } from '../pages/data-markdown.ts'
import { proseWords } from '../report/missing-words.ts'

/**
 * The markup in a component as HTML, with the values of its script that have texts, but without what only its program
 * knows; empty if it has none.
 */
export function programHtml(source: string, format: string): string {
  const parts = PARTS.get(format)
  const html = staticHtml(parts?.markup(source) ?? '')
  if (parts === undefined || html.trim() === '') return ''
  const titled = html.includes('<h1') ? html : html.replace('<h2>', '<h1>').replace('</h2>', '</h1>')
  return `${titled}\n${valuesHtml(parts.script(source), parts.kind)}`
}

type Parts = {
  markup: (source: string) => string
  script: (source: string) => string
  kind: 'js' | 'ts' | 'tsx'
}

const PARTS = wordTable<Parts>([
  [{ markup: source => jsxIn(source, 'js'), script: source => source, kind: 'js' }, 'jsx js'],
  [{ markup: source => jsxIn(source, 'tsx'), script: source => source, kind: 'tsx' }, 'tsx'],
  // The front matter of such a file is a program, and a `template` is the page.
  [
    {
      markup: source => source.replace(MODULE_ABOVE, '').replace(TEMPLATE, ''),
      script: source => groupsOf(MODULE_ABOVE, source)[1] ?? groupsOf(SCRIPT, source)[1] ?? '',
      kind: 'ts',
    },
    'astro svelte vue',
  ],
])

/** The values of a script that have sentences, as HTML below their names. */
function valuesHtml(script: string, kind: Parts['kind']): string {
  const data = readData(`script.${kind}`, script, new Map())
  const values = data?.ok && isObject(data.value.value) ? [...data.value.value] : []
  const texts = values.map(([name, value]) => dataMarkdown(new Map([[name, value]]), 2).join('\n\n'))
  const markdown = texts.filter(text => proseWords(text).length >= MIN_WORDS).join('\n\n')
  return markdown.length > MAX_PARSED ? '' : (attempt(() => toHtml(parseLines(markdown))) ?? '')
}

/** Longer texts take seconds to parse. */
const MAX_PARSED = 100_000

/** The fewest words of a value that is text of the page. */
const MIN_WORDS = 12

function jsxIn(source: string, kind: 'js' | 'tsx'): string {
  return (attempt(() => moduleMarkup(source, kind)) ?? []).join('\n')
}

const MODULE_ABOVE = /^---\r?\n([\s\S]*?)\n---(?=\r?\n)/
const SCRIPT = /<script\b[^<>]{0,300}>((?:(?!<\/script>)[\s\S])*)/
const TEMPLATE = /<\/?template\b[^<>]*>/g

/** Markup with its texts in braces and in the props of components, and without its other expressions. */
function staticHtml(markup: string): string {
  const content = withoutBetween(withoutBetween(markup, '<script', '</script>'), '<style', '</style>')
  let html = content.replace(TEXT_IN_BRACES, (_, _quote, text) => escapeHtml(text))
  for (let depth = 0; depth < MAX_DEPTH && html.includes('{'); depth++) html = html.replace(INNER_BRACES, HOLE)
  const closed = html.replaceAll(HOLE_AS_VALUE, '').replaceAll(HOLE, ' ')
  return closed.replace(COMPONENT, propsHtml).replaceAll(FRAGMENT, '')
}

/** The texts in the props of a component; its tags go. */
function propsHtml(tag: string): string {
  const texts = tag.matchAll(PROP).map(([, name = '', text = '']) => ({ element: TEXTS.get(name.toLowerCase()), text }))
  return texts
    .map(({ element, text }) => (element ? `<${element}>${escapeHtml(text)}</${element}>` : ''))
    .toArray()
    .join('')
}

const PROP = /\s(\w{1,30})=["']([^"']{1,1000})["']/g
/** The elements for props with texts. */
const TEXTS = wordTable([
  ['h2', 'title heading headline pagetitle'],
  ['p', 'subtitle lead description pagesubtitle text body caption content'],
])

const HOLE = '\uFFFC'
const MAX_DEPTH = 20
/** `{'Logo'}` */
const TEXT_IN_BRACES = /\{\s{0,9}(["'`])([^"'`{}]*)\1\s{0,9}\}/g
const INNER_BRACES = /\{[^{}]*\}/g
const HOLE_AS_VALUE = /\s[\w:@.-]{1,100}=\uFFFC/g
/** A tag of a component. */
const COMPONENT = /<\/?[A-Z][\w.]{0,100}(?:\s[^<>]{0,2000})?\/?>/g
const FRAGMENT = /<\/?>/g
