import { quote } from '../../base/text.ts'
import type { Parsed } from '../../brand/parsed.ts'
import { nearest } from './nearest.ts'
import { invalid, type Reader, type Reading, refuse } from './reader.ts'
import type { YamlNode } from './yaml.ts'

/** Reads a name: one line of at most 1,000 characters. */
export const readName: Reader<string> = node => readLine(node, 1000)

/** Reads a short text: one line of at most 200 characters. */
export const readShortText: Reader<string> = node => readLine(node, 200)

/** Reads a description: any number of lines, at most 1,000 characters; `""` says that there is nothing to describe. */
export const readDescription: Reader<string> = node => {
  if (node.kind !== 'text') return refuse(node, 'write a text')
  return checkText(node, 1000, /[^\P{Cc}\n\t]/u)
}

/** Reads a short text whose meaning `parse` knows. */
export function readParsed<Value>(parse: (text: string) => Parsed<Value>): Reader<Value> {
  return node => {
    const reading = readShortText(node)
    if ('problem' in reading) return reading
    const parsed = parse(reading.value)
    return 'value' in parsed ? parsed : invalid(node, parsed.reason)
  }
}

/** Reads a language tag (BCP 47), and gives it as it is usually written: `de`, `pt-BR`. */
export const readLanguage = readParsed<string>(text => {
  try {
    const [tag] = Intl.getCanonicalLocales(text)
    if (tag !== undefined) return { value: tag }
  } catch {} // A RangeError: it is no tag.
  return { reason: `is ${quote(text)}, which is no language tag; write one as in de, en-GB or zh-Hant` }
})

/** Reads one of a few words; a word that is near one of them is told which. */
export function readOneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return node => {
    const text = node.kind === 'text' ? node.text : ''
    const word = words.find(one => one === text)
    if (word !== undefined) return { value: word }
    const meant = nearest(text, words)
    const help = meant === undefined ? '' : `; did you mean "${meant}"?`
    return refuse(node, `write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}${help}`)
  }
}

/** Reads `true` or `false`. */
export const readFlag: Reader<boolean> = node => {
  const reading = readOneOf(['true', 'false'])(node)
  return 'value' in reading ? { value: reading.value === 'true' } : reading
}

function readLine(node: YamlNode, maximum: number): Reading<string> {
  if (node.kind !== 'text') return refuse(node, 'write a text')
  if (node.text.trim() === '') return invalid(node, 'is blank; write a text, or remove it')
  return checkText(node, maximum, /\p{Cc}/u)
}

function checkText(node: YamlNode & { kind: 'text' }, maximum: number, forbidden: RegExp): Reading<string> {
  const { line, text } = node
  if (text.length > maximum && [...text].length > maximum) {
    const message = `has more than ${maximum.toLocaleString('en')} characters; shorten it`
    return { problem: { rule: 'value-too-long', line, message } }
  }
  if (forbidden.test(text)) return invalid(node, 'has a line break or another control character; remove it')
  if (!text.isWellFormed()) return invalid(node, 'has half a character (a lone surrogate); write the whole character')
  return { value: text }
}
