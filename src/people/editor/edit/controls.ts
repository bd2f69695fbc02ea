import { isMap, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { groupsOf } from '#platform/base/text.ts'
import type { Field } from '../fields.ts'
import { withText } from '../source/yaml-nodes.ts'
import { textOf, wordsIn, wordsOf } from './form-parts.ts'

/** How a kind of control shows a value of YAML, and what its texts mean. */
type ControlKind = {
  /** Whether the parts of the value have controls instead: it is a collection of the right kind, or no collection. */
  hasParts: (node: unknown) => boolean
  /** The texts of the control, as a browser sends them; undefined if it cannot show the value. */
  shown: (node: unknown, field: Pick<Field, 'options'>) => readonly string[] | undefined
  /** Texts that a browser sent, in the form in which they are shown. */
  typed: (texts: readonly string[]) => readonly string[]
  /** Whether a value can be made of the texts. */
  isValid: (texts: readonly string[], node: unknown) => boolean
  /** The value with other texts, which are valid; undefined if there is none any more. */
  changed: (node: Node | undefined, texts: readonly string[]) => Node | undefined
}

const LINE: ControlKind = {
  hasParts: () => false,
  shown: node => oneText(node, inOneLine),
  typed: texts => texts,
  isValid: () => true,
  changed: withLine,
}
const PARTS: ControlKind = { ...LINE, hasParts: node => !isSeq(node), shown: () => undefined }

export const CONTROLS: Readonly<Record<Field['kind'], ControlKind>> = {
  line: LINE,
  text: { ...LINE, shown: node => oneText(node, text => text) },
  color: {
    ...LINE,
    shown: node => oneText(node, text => canonicalColor(text) || inOneLine(text)),
    typed: texts => texts.map(text => canonicalColor(text.trim()) || text.trim()),
  },
  flag: {
    ...LINE,
    shown: node => boxTexts(textOf(node) === 'true'),
    typed: texts => boxTexts(isChecked(texts)),
    changed: (node, texts) => (isChecked(texts) ? asTrue(node) : undefined),
  },
  choice: { ...LINE, shown: (node, { options = [] }) => [options.find(option => option === textOf(node)) ?? ''] },
  choices: {
    ...LINE,
    shown: (node, { options = [] }) => options.filter(option => wordsIn(node)?.includes(option)),
    typed: texts => texts.filter(text => text !== ''),
    changed: withWords,
  },
  words: {
    ...LINE,
    shown: node => asLines(wordsIn(node)),
    changed: (node, texts) => withWords(node, linesOf(texts).map(unquoted)),
  },
  pairs: {
    ...LINE,
    shown: node => asLines(isMap(node) || textOf(node) === '' ? pairsIn(node).map(({ line }) => line) : undefined),
    isValid: (texts, node) => linesOf(texts).every(line => PAIR.test(line) || pairOf(pairsIn(node), line)),
    changed: (node, texts) => withPairs(node, linesOf(texts)),
  },
  object: PARTS,
  keyed: PARTS,
  list: { ...PARTS, hasParts: node => !isMap(node) },
}

/** A value in a control with one text; a list only if no word has a comma. */
function oneText(node: unknown, form: (text: string) => string): string[] | undefined {
  if (isMap(node)) return undefined
  if (!isSeq(node)) return [form(textOf(node))]
  const words = wordsIn(node)
  return words?.every(word => word !== '' && !word.includes(',')) ? [words.join(', ')] : undefined
}

function inOneLine(text: string): string {
  return wordsOf(text, '\n').join(' ')
}

/** `#rrggbb` in lower case, also of a text in quotes, as messages have it; empty if the text is not a colour. */
export function canonicalColor(text: string): string {
  const [, digits = ''] = groupsOf(/^"?#?((?:[0-9a-f]{3}){1,2})"?$/i, text)
  return digits && `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`.toLowerCase()
}

function withLine(node: Node | undefined, [text = '']: readonly string[]): Node | undefined {
  const line = text.trim()
  if (isSeq(node)) return withWords(node, wordsOf(line, ',').map(unquoted))
  return line === '' ? node : withText(node, unquoted(line))
}

/** A number or an id without quotes, which it has in messages. */
function unquoted(text: string): string {
  return text.replace(/^"([\d.,# ]+|[a-z\d/-]+)"$/, '$1')
}

/** Words, of which those that are in the list already stay as they are. */
function withWords(node: Node | undefined, words: readonly string[]): Node | undefined {
  if (words.length === 0) return node
  const isText = !isSeq(node) && textOf(node) !== ''
  if (isText && !words.some(word => word.includes(','))) return withText(node, words.join(', '))
  const list = isSeq(node) ? node : Object.assign(new YAMLSeq(), { flow: true })
  const old = [...list.items]
  list.items = words.map((word, at) => {
    const isReplaced = old.length === words.length && !words.includes(textOf(old[at]))
    return old.find(item => textOf(item) === word) ?? withText(isReplaced ? old[at] : undefined, word)
  })
  return list
}

/** A box is sent with a hidden field before it, and only if it is checked. */
function boxTexts(isOn: boolean): string[] {
  return isOn ? ['false', 'true'] : ['false']
}

function isChecked(texts: readonly string[]): boolean {
  return texts.includes('true')
}

function asTrue(node: Node | undefined): Scalar {
  return Object.assign(isScalar(node) ? node : new Scalar(true), { value: true })
}

function asLines(words: readonly string[] | undefined): string[] | undefined {
  return words && [words.join('\n')]
}

function linesOf([text = '']: readonly string[]): string[] {
  return wordsOf(text, '\n')
}

/** A line such as `HKS: 13 K`. */
const PAIR = /^([^:]*[^:\s])\s*:\s*(.+)$/

/** A mapping of lines such as `HKS: 13 K`, of which equal ones stay as they are. */
function withPairs(node: Node | undefined, lines: readonly string[]): YAMLMap {
  const old = pairsIn(node)
  const items = lines.map(line => pairOf(old, line) ?? withPair(old, line))
  return Object.assign(isMap(node) ? node : new YAMLMap(), { items })
}

/** The pairs of a mapping, each with its line in a control. */
function pairsIn(node: unknown): ShownPair[] {
  const pairs = isMap(node) ? node.items : []
  return pairs.map(pair => ({ line: `${textOf(pair.key)}: ${inOneLine(textOf(pair.value))}`.trim(), pair }))
}

type ShownPair = { line: string; pair: Pair }

function pairOf(pairs: readonly ShownPair[], line: string): Pair | undefined {
  return pairs.find(pair => pair.line === line)?.pair
}

/** The pair with the key of a line, or a new one, with the value of the line. */
function withPair(pairs: readonly ShownPair[], line: string): Pair {
  const [, key = '', value = ''] = groupsOf(PAIR, line)
  const own = pairs.find(({ pair }) => textOf(pair.key) === key)
  const pair = own?.pair ?? new Pair<unknown, unknown>(new Scalar(key))
  pair.value = withText(pair.value, value)
  return pair
}
