import { isMap, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { pantoneName } from '#brand/styles/pantone.ts'
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
/** The kind of a value whose parts have controls, and which has none. */
const PARTS: ControlKind = { ...LINE, hasParts: node => !isSeq(node), shown: () => undefined }

/** The kinds of controls. Most are one line, except for the functions that they replace. */
export const CONTROLS: Readonly<Record<Field['kind'], ControlKind>> = {
  line: LINE,
  text: { ...LINE, shown: node => oneText(node, text => text) },
  color: {
    ...LINE,
    shown: node => oneText(node, text => canonicalColor(text) || inOneLine(text)),
    typed: texts => texts.map(text => canonicalColor(text.trim()) || text.trim()),
  },
  pantone: {
    ...LINE,
    shown: node => oneText(node, text => pantoneName(inOneLine(text))),
    typed: texts => texts.map(pantoneName),
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

/** A value in a control with one text; a list only if no word has a comma, which separates them. Undefined for others. */
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

/** The value with the text of a line; for a list, with the words between its commas. An empty line changes nothing. */
function withLine(node: Node | undefined, [text = '']: readonly string[]): Node | undefined {
  const line = text.trim()
  if (isSeq(node)) return withWords(node, wordsOf(line, ',').map(unquoted))
  return line === '' ? node : withText(node, unquoted(line))
}

/** A text without the quotes of a number or an id (`"84,39,0,28"`), because people copy these from messages with quotes. */
function unquoted(text: string): string {
  return text.replace(/^"([\d.,# ]+|[a-z\d/-]+)"$/, '$1')
}

/**
 * The value with other words, as a list, or as the text with commas that it was before. Words that it has already stay as
 * they are written, with their comments. Without words, nothing changes.
 */
function withWords(node: Node | undefined, words: readonly string[]): Node | undefined {
  if (words.length === 0) return node
  const isText = !isSeq(node) && textOf(node) !== ''
  if (isText && !words.some(word => word.includes(','))) return withText(node, words.join(', '))
  // A new list is on one line: `[a, b]`.
  const list = isSeq(node) ? node : Object.assign(new YAMLSeq(), { flow: true })
  const oldItems = [...list.items]
  list.items = words.map((word, at) => {
    // If only some words changed, a new word takes the item of the one that was in its place.
    const isReplaced = oldItems.length === words.length && !words.includes(textOf(oldItems[at]))
    return oldItems.find(item => textOf(item) === word) ?? withText(isReplaced ? oldItems[at] : undefined, word)
  })
  return list
}

/** The texts of a box: browsers send the hidden field before it (`false`), and the box itself only if it is checked. */
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

/** A mapping of lines such as `HKS: 13 K`. Pairs whose line is the same stay unchanged. */
function withPairs(node: Node | undefined, lines: readonly string[]): YAMLMap {
  const oldPairs = pairsIn(node)
  const items = lines.map(line => pairOf(oldPairs, line) ?? withPair(oldPairs, line))
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
  const pairWithKey = pairs.find(({ pair }) => textOf(pair.key) === key)
  const pair = pairWithKey?.pair ?? new Pair<unknown, unknown>(new Scalar(key))
  pair.value = withText(pair.value, value)
  return pair
}
