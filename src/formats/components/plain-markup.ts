import { blanks, groupsOf, withoutBetween } from '#platform/base/text.ts'
import { VOID_ELEMENTS } from './markup.ts'
import { endOf, plainProps } from './plain-props.ts'

/** A component in parts: its program, and its markup as JSX. */
export type ComponentSource = { script: string; markup: string }

/**
 * Divides a component of Astro, Svelte or Vue, and writes its markup as JSX: loops, conditions, and tags without an end.
 */
export function readComponent(source: string, format: string): ComponentSource {
  const [above = '', front = ''] = groupsOf(FRONT, source)
  const body = source.slice(above.length)
  const scripts = [front, ...body.matchAll(SCRIPT).map(([, script = '']) => script)]
  const plain = HIDDEN.reduce((text, [start, end]) => withoutBetween(text, start, end), body.replace(SCRIPT, ''))
  const markup = format === 'vue' ? plain.replace(MUSTACHE, '{$1}') : plain
  const blocks = BLOCKS.reduce((text, [block, call]) => text.replace(block, call), markup)
  return { script: scripts.join('\n'), markup: `<>${plainTags(blocks)}</>` }
}

const FRONT = /^\s{0,9}---\r?\n([\s\S]*?)\n---(?=\r?\n)/
const SCRIPT = /<script\b[^<>]{0,300}(?<!\/)>((?:(?!<\/script>)[\s\S])*)(?:<\/script>)?/g
const HIDDEN = [
  ['<style', '</style>'],
  ['<!--', '-->'],
  ['<!', '>'],
] as const
/** `{{ name }}` */
const MUSTACHE = /\{\{([^{}]*)\}\}/g
/** Blocks of templates as calls, whose parts are arguments: `{#if a}A{:else}B{/if}` is `{$if(a, <>A</>, true, <>B</>)}`. */
const BLOCKS: readonly (readonly [block: RegExp, call: string])[] = [
  [
    /\{#each ([^{}]{1,300}?) as ((?:\{[^{}]{0,300}\}|[^{}()]){1,300}?)\s{0,9}(?:\([^{}]{0,300}\))?\}/g,
    '{$each($1, ($2) => <>',
  ],
  [/\{#if ([^{}]*)\}/g, '{$if($1, <>'],
  [/\{:else if ([^{}]*)\}/g, '</>, $1, <>'],
  [/\{:else\}/g, '</>, true, <>'],
  [/\{\/(?:each|if)\}/g, '</>)}'],
  [/\{@(?:html|render)\s([^{}]*)\}/g, '{$1}'],
  [/\{@[^{}]*\}/g, ''],
]

/** Writes each tag as JSX does: names without other signs, values in quotation marks or braces, and an end. */
function plainTags(markup: string): string {
  const parts: string[] = []
  let at = 0
  for (const { index, 0: open, 1: name = '' } of markup.matchAll(/<([A-Za-z][\w.:-]*)(?=[\s/>])/g)) {
    if (index < at) continue
    const end = endOf(markup, index + open.length, '>')
    const inner = markup.slice(index + open.length, end).replace(/\/\s{0,9}$/, blanks)
    const isClosed = VOID_ELEMENTS.has(name) || markup.charAt(end - 1) === '/'
    parts.push(markup.slice(at, index), `<${name}${plainProps(inner)}${isClosed ? ' /' : ''}>`)
    at = end + 1
  }
  return [...parts, markup.slice(at)].join('')
}
