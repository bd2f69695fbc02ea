import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { nearest } from './nearest.ts'
import { invalid, type Reader, refuse } from './reader.ts'
import type { YamlNode } from './yaml.ts'

/** Reads a name: one line of at most 1,000 characters. */
export const readName: Reader<string> = node => readLine(node, 1000)

/** Reads a short string: one line of at most 200 characters. */
export const readShortText: Reader<string> = node => readLine(node, 200)

/**
 * Reads a description of at most 1,000 characters and any number of lines. `""` means that there is nothing to
 * describe.
 */
export const readDescription: Reader<string> = node => {
  if (node.kind !== 'text') return refuse(node, 'write text')
  return checkText(node, 1000, /[^\P{Cc}\n\t]/u)
}

/** Reads and parses a short string. The problem from `parse` is the end of a sentence. */
export function readParsed<Value>(parse: (text: string) => Result<Value, string>): Reader<Value> {
  return node => {
    const text = readShortText(node)
    if (!text.ok) return text
    const parsed = parse(text.value)
    return parsed.ok ? parsed : invalid(node, parsed.problem)
  }
}

/** Reads a language tag (BCP 47) in its canonical form: `de`, `pt-BR`. */
export const readLanguage = readParsed(text => {
  try {
    const [tag] = Intl.getCanonicalLocales(text)
    if (tag !== undefined) return ok(tag)
  } catch {} // A RangeError means that the value is not a tag.
  return failed(`is ${quote(text)}, which is not a language tag; write one such as de, en-GB or zh-Hant`)
})

/** Reads one of a few words. The problem suggests the word that was probably meant. */
export function readOneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return node => {
    const text = node.kind === 'text' ? node.text : ''
    const word = words.find(one => one === text)
    if (word !== undefined) return ok(word)
    const meant = nearest(text, words)
    const help = meant === undefined ? '' : `; did you mean "${meant}"?`
    return refuse(node, `write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}${help}`)
  }
}

/** Reads `true` or `false`. */
export const readFlag: Reader<boolean> = node => {
  const word = readOneOf(['true', 'false'])(node)
  return word.ok ? ok(word.value === 'true') : word
}

function readLine(node: YamlNode, maximum: number): Result<string, Problem> {
  if (node.kind !== 'text') return refuse(node, 'write text')
  if (node.text.trim() === '') return invalid(node, 'is blank; write something, or remove it')
  return checkText(node, maximum, /\p{Cc}/u)
}

function checkText(node: YamlNode & { kind: 'text' }, maximum: number, forbidden: RegExp): Result<string, Problem> {
  const { line, text } = node
  if (text.length > maximum && [...text].length > maximum) {
    const message = `has more than ${maximum.toLocaleString('en')} characters; shorten it`
    return failed({ rule: 'value-too-long', line, message })
  }
  if (forbidden.test(text)) return invalid(node, 'has a line break or another control character; remove it')
  if (!text.isWellFormed()) return invalid(node, 'has half a character (a lone surrogate); write the whole character')
  return ok(text)
}
