import { hash } from 'node:crypto'
import { readXml } from '#formats/xml/xml.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { MAX_DRAWING_BYTES } from '../brand-files.ts'
import type { FileUse } from '../use.ts'

/** The SHA-256 of a file, in hex, and of its drawing if it is an SVG. */
export function fileHashes(bytes: Uint8Array, isSvg: boolean): Pick<FileUse, 'hash' | 'drawing'> {
  const svg = isSvg && bytes.length <= MAX_DRAWING_BYTES ? decodeText(bytes) : undefined
  const drawing = svg === undefined ? undefined : drawingOf(svg)
  return { hash: hash('sha256', bytes), ...(drawing !== undefined && { drawing: hash('sha256', drawing) }) }
}

/**
 * A text that is the same for two SVGs that differ only in white space, the order of attributes, ids, comments, number
 * formats, descriptions and data of editors. Undefined if it is no SVG, is malformed, or uses entities in the drawing.
 */
export function drawingOf(text: string): string | undefined {
  const parts = readParts(text)
  if (parts?.[0]?.name !== 'svg') return undefined
  const numbers = new Map<string, number>()
  for (const [index, { attributes }] of parts.entries()) {
    const id = attributes?.get('id')
    if (id !== undefined && !numbers.has(id)) numbers.set(id, index)
  }
  const nameOf = (id: string) => (HEX.test(id) ? id : `${numbers.get(id) ?? `?${id}`}`)
  const lines = parts.map(({ name, attributes, text }) => {
    if (text !== undefined) return `"${name === 'style' ? normalCss(text, nameOf) : collapse(text)}`
    const values = [...(attributes ?? [])]
      .filter(([attribute, value]) => attribute !== 'id' || HEX.test(value))
      .map(([attribute, value]) => normalAttribute(attribute.replace(/^xlink:href$/, 'href'), value, nameOf))
    return [`<${name}`, ...values.sort()].join('\n')
  })
  const drawing = lines.join('\n')
  return /&[\w:.-]+;/.test(drawing) ? undefined : drawing
}

/** A colour, or an id that a style sheet may mean by it, which stays as written. */
const HEX = /^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i

/** The start of an element, a text in it, or its end, whose name is `/`. */
type Part = { name: string; attributes?: Map<string, string>; text?: string }

function readParts(xml: string): Part[] | undefined {
  const parts: Part[] = []
  let skipped = 0
  for (const part of readXml(xml)) {
    if (part.kind === 'problem') return undefined
    const name = part.name.replace(/^svg:/, '')
    if (skipped > 0 || (part.kind === 'start' && isIn(UNDRAWN, name))) {
      skipped += DEPTHS[part.kind]
      continue
    }
    const last = parts.at(-1)
    if (part.kind === 'start') {
      const drawn = [...part.attributes].filter(([attribute]) => !isIn(UNDRAWN_ATTRIBUTES, attribute))
      parts.push({ name, attributes: new Map(drawn.map(([attribute, { value }]) => [attribute, value])) })
    } else if (part.kind === 'end' && last?.name === 'defs' && last.attributes) parts.pop()
    else if (part.kind === 'end') parts.push({ name: '/' })
    else if (last?.text !== undefined) last.text += part.value
    else if (part.value.trim() !== '') parts.push({ name, text: part.value })
  }
  return parts
}

/** What a part adds to the elements that are open. */
const DEPTHS = { start: 1, text: 0, end: -1 }

/** Whether names have a name, or its prefix with the colon. */
function isIn(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name) || names.has(name.replace(/:.*/s, ':'))
}

const UNDRAWN = wordSet('metadata title desc inkscape: sodipodi: sketch: figma: serif: rdf: cc: dc: i:')

/** Illustrator names its own format with an entity in `requiredExtensions`. */
const UNDRAWN_ATTRIBUTES = wordSet(`
  version baseProfile requiredExtensions xml:space xlink:type xmlns xmlns: inkscape: sodipodi: sketch: serif: i:`)

type NameOf = (id: string) => string

function normalAttribute(name: string, value: string, nameOf: NameOf): string {
  if (name === 'd') return ` d=${normalPath(value)}`
  if (name === 'href' && value.startsWith('#')) return ` href=#${nameOf(value.slice(1))}`
  if (VERBATIM.has(name)) return ` ${name}=${collapse(value)}`
  const parts = normalCss(value, nameOf).split(name === 'style' ? ';' : '\n')
  return ` ${name}=${parts.filter(part => part !== '' && !part.startsWith('-inkscape-')).join(';')}`
}

const VERBATIM = wordSet('id class href font-family')

/** Gives colours in hex six or eight digits, numbers their shortest form with a space, references the new names. */
function normalCss(css: string, nameOf: NameOf): string {
  const normal = css.replace(TOKEN, (token, url?: string, id?: string, number?: string, unit?: string) => {
    if (url !== undefined) return `url(#${nameOf(url)})`
    if (id !== undefined && !HEX.test(id)) return `#${nameOf(id)}`
    if (id !== undefined) return `#${(id.length < 5 ? id.replace(/./g, '$&$&') : id).toLowerCase()}`
    return number === undefined ? token.replace(/^\/\*.*/s, ' ') : ` ${Number(number)}${unit} `
  })
  // White space before a colon and around brackets has a meaning in selectors.
  return collapse(normal).replace(/ ?([{};,]) ?|([(:]) | (\))/g, '$1$2$3')
}

const NUMBER = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?'
const TOKEN = new RegExp(
  `/\\*[\\s\\S]*?(?:\\*/|$)|url\\(\\s{0,9}["']?#([^()"'\\s]{1,200})["']?\\s{0,9}\\)|url\\([^()]*\\)|"[^"]*"|'[^']*'|` +
    `#([\\w-]+)|-{0,2}[a-zA-Z_][\\w.-]*|(${NUMBER})([a-zA-Z]+|%|)\\s*,?\\s*`,
  'g',
)

/** The commands and numbers of path data (SVG 2 §9.3.9). Flags of arcs need no separators. */
function normalPath(data: string): string {
  let path = ''
  let [at, isArc, count] = [0, false, 0]
  for (;;) {
    const pattern = isArc && (count % 7 === 3 || count % 7 === 4) ? PATH_FLAG : PATH_TOKEN
    pattern.lastIndex = at
    const [token, command, number] = groupsOf(pattern, data)
    if (token === undefined) return path + collapse(data.slice(at))
    at += token.length
    ;[isArc, count] = command ? [/a/i.test(command), 0] : [isArc, count + 1]
    path += command || ` ${Number(number)}`
  }
}

const PATH_TOKEN = new RegExp(`\\s*(?:,\\s*)?(?:([a-zA-Z])|(${NUMBER}))`, 'y')
const PATH_FLAG = /\s*(?:,\s*)?()([01])/y

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
