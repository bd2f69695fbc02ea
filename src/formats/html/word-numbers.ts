import { groupsOf } from '#platform/base/text.ts'
import type { XmlElement } from '../xml/parse-xml.ts'
import { readElements, settingOf, type WordStyles } from './word-styles.ts'

/** A level of a list; its text has `%1` for the number of the first level. */
type Level = {
  start: number
  /** Whether a list starts again, and does not continue the one before it of its kind. */
  startsAgain: boolean
  format: string
  text: string
  /** The text between a number and its paragraph. */
  space: string
  /** Whether the numbers of all levels are decimal. */
  isLegal: boolean
  /** The lowest level above, from 1, whose paragraphs let it start again; 0: none. */
  restart: number
}

/** A list, or a kind of lists: its kind, the style whose list it is instead, and the values of its levels. */
type List = { kind: string; style: string; levels: Partial<Level>[] }
type Lists = Map<string, List>

const USUAL = { start: 0, startsAgain: false, format: 'decimal', text: '', space: ' ', isLegal: false }
const MAX_LEVELS = 9

/** The elements of a list and of its levels, by their value. */
const FACTS = new Map<string, (value: string) => Partial<Level> | Partial<List>>([
  ['w:abstractNumId', kind => ({ kind })],
  ['w:numStyleLink', style => ({ style })],
  ['w:start', value => ({ start: Number(value) })],
  ['w:startOverride', value => ({ start: Number(value), startsAgain: true })],
  ['w:numFmt', format => ({ format })],
  ['w:lvlText', text => ({ text })],
  ['w:suff', value => ({ space: value === 'nothing' ? '' : ' ' })],
  ['w:isLgl', value => ({ isLegal: value !== '0' })],
  ['w:lvlRestart', value => ({ restart: Number(value) })],
])

/**
 * Counts the paragraphs of a Word file, each with its list and its level there. Gives the number that Word shows before
 * a paragraph, such as `Rule 4: `: empty for a bullet, undefined without a list.
 */
export function openNumbers(xml: string, styles: WordStyles): (list?: string, current?: number) => string | undefined {
  const { kinds, lists } = readLists(xml)
  const listOf = (all: Lists, id: string): List => all.get(id) ?? { kind: '', style: '', levels: [] }
  const counts = new Map<string, readonly number[]>()
  const started = new Set<string>()
  return (given = '', current = 0) => {
    const link = styles.get(listOf(kinds, listOf(lists, given).kind).style)
    const id = link?.list ?? given
    const { kind, levels: own } = listOf(lists, id)
    const levels = listOf(kinds, kind).levels.map((level, at) => ({ ...USUAL, restart: at, ...level, ...own[at] }))
    const isFirst = !started.has(id)
    started.add(id)
    const before = counts.get(kind) ?? []
    const numbers = levels.map(({ start, startsAgain, restart }, at) => {
      const isNew = current < Math.min(at, restart) || (isFirst && startsAgain)
      const last = (isNew ? undefined : before[at]) ?? start - 1
      return at === current ? last + 1 : last
    })
    counts.set(kind, numbers)
    return levels[current] && numberText(levels[current], levels, numbers)
  }
}

/** Reads the lists of a file and their kinds, by id. */
function readLists(xml: string): { kinds: Lists; lists: Lists } {
  const [kinds, lists]: [Lists, Lists] = [new Map(), new Map()]
  let list: List = { kind: '', style: '', levels: [] }
  let target: object = list
  const openList = (all: Lists, id = '') => {
    list = { kind: '', style: '', levels: [] }
    all.set(id, list)
    target = list
  }
  const openLevel = ({ attributes }: XmlElement) => {
    const at = Math.min(Number(attributes.get('w:ilvl')), MAX_LEVELS) || 0
    target = list.levels[at] ??= {}
  }
  const starts = new Map<string, (element: XmlElement) => void>([
    ['w:abstractNum', ({ attributes }) => openList(kinds, attributes.get('w:abstractNumId'))],
    ['w:num', ({ attributes }) => openList(lists, attributes.get('w:numId'))],
    ['w:lvl', openLevel],
    ['w:lvlOverride', openLevel],
  ])
  const open = (element: XmlElement) => {
    starts.get(element.name)?.(element)
    Object.assign(target, FACTS.get(element.name)?.(settingOf(element)))
  }
  readElements(xml, { open })
  return { kinds, lists }
}

function numberText(level: Level, levels: readonly Level[], numbers: readonly number[]): string {
  const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const at = Number(digit) - 1
    const { format, start } = levels[at] ?? level
    const write = WRITTEN.get(level.isLegal ? 'decimal' : format) ?? String
    return write(Math.max(numbers[at] ?? 0, start))
  })
  return level.format === 'bullet' ? '' : text.trim() + level.space
}

/** The formats of numbers that are not decimal. */
const WRITTEN = new Map<string, (number: number) => string>([
  ['decimalZero', number => String(number).padStart(2, '0')],
  ['lowerLetter', letters],
  ['upperLetter', number => letters(number).toUpperCase()],
  ['lowerRoman', roman],
  ['upperRoman', number => roman(number).toUpperCase()],
  ['none', () => ''],
])

/** `a` to `z`, then `aa`, `bb`, up to 30 letters. */
function letters(number: number): string {
  const at = Math.max(number, 1) - 1
  return String.fromCharCode('a'.charCodeAt(0) + (at % 26)).repeat(1 + (Math.floor(at / 26) % 30))
}

function roman(number: number): string {
  let rest = number % 5000
  return ROMAN.map(([sign, value]) => {
    const times = Math.floor(rest / value)
    rest -= times * value
    return sign.repeat(times)
  }).join('')
}

const ROMAN = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const

/** The part of a Word file with one list, whose paragraphs all have a mark. */
export const MARKED_LISTS = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="marked">${Array.from(
  { length: MAX_LEVELS },
  (_, at) => `<w:lvl w:ilvl="${at}"><w:numFmt w:val="decimal"/></w:lvl>`,
).join('')}</w:abstractNum><w:num w:numId="marked"><w:abstractNumId w:val="marked"/></w:num></w:numbering>`

/** The properties of a paragraph in such a list. */
export function markedItem(depth: number): string {
  return `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="marked"/></w:numPr>`
}

/** A number at the beginning of a paragraph, between signs that Word files never have. */
export function markNumber(number: string): string {
  return `\ufdd0${number}\ufdd1`
}

/**
 * Takes the marks out of HTML: a number that lists of HTML have becomes that of its item, others become text, in a list
 * without numbers or before other text.
 */
export function withNumbers(html: string): string {
  const lists: OpenList[] = []
  const written = html.replace(MARKED, (token, item: string | undefined, number: string) => {
    if (token === '<ol>') lists.push({ tag: 'ol', next: 1 })
    const list = lists.at(-1)
    if (token === '</ol>') return `</${lists.pop()?.tag}>`
    if (number === undefined) return token
    return item && list ? startItem(list, number) : number
  })
  return written.replaceAll('<ol></ol>', '')
}

/** A list of HTML, and the number of its next item. */
type OpenList = { tag: string; next: number }

/** The start of an item, in another list if its number is not the next one. */
function startItem(list: OpenList, number: string): string {
  const [, digits] = groupsOf(PLAIN, number)
  const { tag, next } = list
  const [own, start, text] =
    digits === undefined
      ? [{ tag: 'ul', next }, '<ul>', number]
      : [{ tag: 'ol', next: Number(digits) }, `<ol start="${digits}">`, '']
  const isNext = own.tag === tag && own.next === next
  Object.assign(list, { tag: own.tag, next: own.next + 1 })
  return `${isNext ? '' : `</${tag}>${start}`}<li>${text}`
}

const MARKED = /<\/?ol>|(<li>)?\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/g
/** A number with a sign that lists in HTML and Markdown have. */
const PLAIN = /^(?!0\d)(\d{1,9})[.)]? ?$/
