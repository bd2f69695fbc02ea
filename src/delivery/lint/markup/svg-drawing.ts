import { hash } from 'node:crypto'
import { readXml, type XmlPart } from '#formats/xml/xml.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { groupsOf, singleSpaced, wordSet } from '#platform/base/text.ts'
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
  if (parts[0]?.name !== 'svg') return undefined
  // Reversed, because the last entry of a key wins, and of elements with the same id, the first has it.
  const numbers = new Map(parts.map(({ attributes }, index) => [attributes.get('id'), index] as const).toReversed())
  // Instead of an id, the number of its element; `?id` if there is none.
  const nameOf = (id: string) => (HEX.test(id) ? id : `${numbers.get(id) ?? `?${id}`}`)
  const drawing = parts.map(part => lineOf(part, nameOf)).join('\n')
  return /&[\w:.-]+;/.test(drawing) ? undefined : drawing
}

/** A colour, or an id that a style sheet may mean by it, which stays as written: 3, 4, 6 or 8 digits. */
const HEX = /^(?!.{5}(?:..)?$)[\da-f]{3,8}$/i

/** The start of an element, a text in it, or its end, whose name is `/`. */
type Part = { kind: 'start' | 'text' | 'end'; name: string; attributes: ReadonlyMap<string, string>; text: string }

const END: Part = { kind: 'end', name: '/', attributes: new Map(), text: '' }

/** The parts that are drawn; none if the file is malformed. */
function readParts(xml: string): Part[] {
  const parts: Part[] = []
  // The number of open elements that are left out; 0 outside of them.
  let skippedDepth = 0
  for (const part of readXml(xml)) {
    if (part.kind === 'problem') return []
    const name = part.name.replace(/^svg:/, '')
    if (skippedDepth > 0 || (part.kind === 'start' && isIn(UNDRAWN, name))) {
      skippedDepth += DEPTHS[part.kind]
      continue
    }
    const last = parts.at(-1) ?? END
    if (part.kind === 'start') parts.push({ kind: 'start', name, attributes: drawnAttributes(part), text: '' })
    else if (part.kind === 'text') addText(parts, name, part.value)
    // An empty `<defs>` draws nothing.
    else if (last.kind === 'start' && last.name === 'defs') parts.pop()
    else parts.push(END)
  }
  return parts
}

/** Adds the text of a node to the text before it, also across comments. Leaves out blank text. */
function addText(parts: Part[], name: string, text: string): void {
  const last = parts.at(-1)
  if (last?.kind === 'text') last.text += text
  else if (text.trim() !== '') parts.push({ ...END, kind: 'text', name, text })
}

function drawnAttributes({ attributes }: Extract<XmlPart, { kind: 'start' }>): Map<string, string> {
  const drawn = [...attributes].filter(([attribute]) => !isIn(UNDRAWN_ATTRIBUTES, attribute))
  return new Map(drawn.map(([attribute, { value }]) => [attribute, value]))
}

/** What a part adds to the elements that are open. */
const DEPTHS = { start: 1, text: 0, end: -1 }

/** Whether names have a name, or its prefix with the colon: `inkscape:` for `inkscape:path-effect`. */
function isIn(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name) || names.has(name.replace(/:.*/s, ':'))
}

const UNDRAWN = wordSet('metadata title desc inkscape: sodipodi: sketch: figma: serif: rdf: cc: dc: i:')

/** Illustrator names its own format with an entity in `requiredExtensions`. */
const UNDRAWN_ATTRIBUTES = wordSet(`
  version baseProfile requiredExtensions xml:space xlink:type xmlns xmlns: inkscape: sodipodi: sketch: serif: i:`)

type NameOf = (id: string) => string

/** The line of a part: a text, or the name of an element with its attributes in alphabetical order. */
function lineOf({ kind, name, attributes, text }: Part, nameOf: NameOf): string {
  if (kind === 'text') return `"${name === 'style' ? normalCss(text, nameOf) : collapse(text)}`
  const values = [...attributes]
    .filter(([attribute, value]) => attribute !== 'id' || HEX.test(value))
    .map(([attribute, value]) => normalAttribute(attribute.replace(/^xlink:href$/, 'href'), value, nameOf))
  return [`<${name}`, ...values.sort()].join('\n')
}

/** An attribute in one form: path data, a reference to an element, a text as it is, or the CSS of a style or a value. */
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
    if (id !== undefined) return `#${HEX.test(id) ? longHex(id) : nameOf(id)}`
    return number === undefined ? token.replace(/^\/\*.*/s, ' ') : ` ${Number(number)}${unit} `
  })
  // White space before a colon and around brackets has a meaning in selectors.
  return collapse(normal).replace(/ ?([{};,]) ?|([(:]) | (\))/g, '$1$2$3')
}

function longHex(digits: string): string {
  return (digits.length < 5 ? digits.replace(/./g, '$&$&') : digits).toLowerCase()
}

const NUMBER = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?'
/** Comments, `url(#id)`, other addresses, strings, `#id` or `#colour`, words, and numbers with their unit and comma. */
const TOKEN = new RegExp(
  `/\\*[\\s\\S]*?(?:\\*/|$)|url\\(\\s{0,9}["']?#([^()"'\\s]{1,200})["']?\\s{0,9}\\)|url\\([^()]*\\)|"[^"]*"|'[^']*'|` +
    `#([\\w-]+)|-{0,2}[a-zA-Z_][\\w.-]*|(${NUMBER})([a-zA-Z]+|%|)\\s*,?\\s*`,
  'g',
)

/** The commands and numbers of path data (SVG 2 §9.3.9). Flags of arcs need no separators. */
function normalPath(data: string): string {
  let path = ''
  let at = 0
  let isArc = false
  /** The numbers since the last command. */
  let count = 0
  for (;;) {
    const pattern = isArc && FLAGS.has(count % 7) ? PATH_FLAG : PATH_TOKEN
    pattern.lastIndex = at
    const [token, command, number] = groupsOf(pattern, data)
    // At the end, or where the data are malformed: the rest stays as it is.
    if (token === undefined) return path + collapse(data.slice(at))
    at += token.length
    count++
    path += command || ` ${Number(number)}`
    if (command) {
      isArc = /a/i.test(command)
      count = 0
    }
  }
}

/** The places of the flags among the seven numbers of an arc. */
const FLAGS: ReadonlySet<number> = new Set([3, 4])
/** A command such as `M`, or a number, after white space and a comma. */
const PATH_TOKEN = new RegExp(`\\s*(?:,\\s*)?(?:([a-zA-Z])|(${NUMBER}))`, 'y')
/** A flag, 0 or 1, in the group of numbers: in `a5 5 0 0110 10`, the first two digits after the third number. */
const PATH_FLAG = /\s*(?:,\s*)?()([01])/y

function collapse(text: string): string {
  return singleSpaced(text)
}
