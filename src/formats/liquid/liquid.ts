import {
  Context,
  type Emitter,
  Liquid,
  LiquidError,
  Tag,
  type Template,
  type Token,
  TokenKind,
  toValueSync,
} from 'liquidjs'
import { anyOf, wordsIn } from '#platform/base/text.ts'
import { blockTag, forTag, includeTag, rawTag } from './tags.ts'

/** The data of templates. */
export type LiquidData = {
  /** Variables by name. */
  values: object
  /** The text of an included file; undefined if there is none of this name. */
  partial: (name: string) => string | undefined
  filters: Readonly<Record<string, (value: unknown) => unknown>>
  /** The text instead of a loop over these items; undefined if it is rendered. */
  loop: (items: unknown) => string | undefined
  /** What `{% name %}…{% endname %}` makes of its content, by name. */
  blocks: Readonly<Record<string, (content: string) => string>>
}

/** A part of a text and what it becomes. */
export type Rendered = {
  start: number
  end: number
  text: string
  /** A value, a tag up to its end tag, or blanks that a tag beside them removes. */
  kind: 'value' | 'tag' | 'blank'
  /** The name of a tag; empty for others. */
  name: string
  /** The sources of tags in it that failed, and filters that are unknown, whose results are empty. */
  failed: ReadonlySet<string>
  unknownFilters: ReadonlySet<string>
}

/**
 * Renders the Liquid in a text from top to bottom, with limits for time, memory and length. Unknown tags, and those that
 * cannot be parsed, stay as they are.
 */
export function renderLiquid(source: string, data: LiquidData): Rendered[] {
  const unknown = new Set<string>()
  const engine = openEngine(data, unknown)
  const { text, templates } = parseLiquid(source, engine, unknown)
  const context = new Context(data.values, engine.options, { sync: true })
  const length = { left: MAX_LENGTH }
  return templates.flatMap((template, at): Rendered[] => {
    const { kind, begin: start } = template.token
    const end = templates[at + 1]?.token.begin ?? text.length
    unknown.clear()
    const isText = kind === TokenKind.HTML
    const { buffer, failed } = renderOne(template, engine, context, isText ? { left: end } : length)
    const part = { start, end, text: buffer.replaceAll(MASK, '{'), failed, unknownFilters: new Set(unknown) }
    if (isText) return blanksAround(source, part)
    return [
      template instanceof Tag ? { ...part, kind: 'tag', name: template.name } : { ...part, kind: 'value', name: '' },
    ]
  })
}

/** The blanks at the ends of a text that the tags beside it remove. */
function blanksAround(source: string, part: Omit<Rendered, 'kind' | 'name'>): Rendered[] {
  const first = part.start + source.slice(part.start, part.end).indexOf(part.text)
  const spans = [
    { start: part.start, end: first },
    { start: first + part.text.length, end: part.end },
  ]
  return spans
    .filter(({ start, end }) => start < end)
    .map(span => ({ ...part, ...span, kind: 'blank', name: '', text: '' }))
}

/** The most characters that the tags of a text may make. */
const MAX_LENGTH = 1 << 19

const LIMITS = { parseLimit: 4 << 20, renderLimit: 5000, memoryLimit: 50_000_000 }

function openEngine(data: LiquidData, unknown: Set<string>): Liquid {
  const engine = new Liquid({
    ...LIMITS,
    // Files are only read by our own tag.
    templates: {},
    catchAllErrors: true,
    jekyllWhere: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
  })
  const partials = new Map<string, Template[]>()
  const partOf = (name: string) => {
    const source = data.partial(name)?.trimEnd().replace(CONTROL_LINE, '$1')
    const templates =
      partials.get(name) ?? (source === undefined ? undefined : parseLiquid(source, engine, unknown).templates)
    if (templates) partials.set(name, templates)
    return templates
  }
  const include = includeTag(partOf)
  for (const name of INCLUDES) engine.registerTag(name, include)
  for (const [name, filter] of Object.entries(data.filters)) engine.registerFilter(name, filter)
  for (const [name, change] of Object.entries(data.blocks)) engine.registerTag(name, blockTag(name, change))
  engine.registerTag('raw', rawTag)
  engine.registerTag('for', forTag(data.loop))
  return engine
}

const CONTROLS = wordsIn('if, elsif, else, for, unless, case, when, assign, capture, comment')
/** A line with nothing but a tag that shows nothing itself: an empty line in its place would end HTML in Markdown. */
const CONTROL_LINE = new RegExp(
  String.raw`^[ \t]{0,99}(\{%-?\s{0,9}(?:end)?${anyOf(CONTROLS)}\b[^{%\n]{0,500}%\})[ \t]{0,99}\n`,
  'gm',
)

const INCLUDES = ['include', 'include_cached', 'include_relative']

/** Renders one tag, value or text; the part before an error stays. */
function renderOne(template: Template, { renderer }: Liquid, context: Context, length: { left: number }) {
  const emitter: Emitter = {
    buffer: '',
    write(value: unknown) {
      const text = [value].flat(MAX_DEPTH).join('')
      length.left -= text.length
      if (length.left < 0) throw new RangeError('makes too much text')
      this.buffer += text
    },
  }
  const failed = new Set<string>()
  try {
    toValueSync(renderer.renderTemplates([template], context, emitter))
  } catch (error) {
    for (const token of failuresOf(error)) failed.add((token ?? template.token).getText().replaceAll(MASK, '{'))
  }
  return { buffer: emitter.buffer, failed }
}

const MAX_DEPTH = 9

/** The tags and values that failed; undefined for text between them. */
function failuresOf(error: unknown): (Token | undefined)[] {
  if (!LiquidError.is(error)) return [undefined]
  const inner: unknown = 'errors' in error ? error.errors : undefined
  if (Array.isArray(inner)) return inner.slice(0, MAX_FAILURES).flatMap(failuresOf)
  return [error.token.kind === TokenKind.HTML ? undefined : error.token]
}

const MAX_FAILURES = 20

/** Takes the place of the first brace of a tag that is text; no text has this character. */
const MASK = '\uFDD0'

/** The templates in a text, in which tags that are unknown or damaged are masked. */
function parseLiquid(source: string, engine: Liquid, unknown: Set<string>): { text: string; templates: Template[] } {
  for (const [, name = ''] of source.matchAll(FILTER)) {
    if (Object.hasOwn(engine.filters, name)) continue
    engine.registerFilter(name, () => {
      unknown.add(name)
      return ''
    })
  }
  let text = source.replace(TAG, (brace, name) => (isTag(name, engine) ? brace : MASK))
  for (let damaged = 0; damaged < MAX_DAMAGED; damaged += 1)
    try {
      return { text, templates: engine.parse(text) }
    } catch (error) {
      if (!LiquidError.is(error)) throw error
      const { begin } = error.token
      const at = Math.max(text.lastIndexOf('{{', begin), text.lastIndexOf('{%', begin))
      text = `${text.slice(0, Math.max(0, at))}${MASK}${text.slice(at + 1)}`
    }
  text = text.replaceAll('{', MASK)
  return { text, templates: engine.parse(text) }
}

const FILTER = /\|\s{0,99}([a-z]\w*)/g
/** The first brace of a tag with a name. */
const TAG = /\{(?=%-?\s{0,99}(\w+))/g
const MAX_DAMAGED = 50

function isTag(name: string, { tags }: Liquid): boolean {
  return Object.hasOwn(tags, name.replace(/^end/, '')) || BRANCHES.includes(name)
}

const BRANCHES = ['else', 'elsif', 'when']
