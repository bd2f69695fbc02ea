import type { Problem } from '#brand/finding.ts'
import { isPageId, isProjectId, isStyleId, isWorkspaceId, RESERVED_WORKSPACE_IDS, slug } from '#brand/ids.ts'
import { isDecimal, type WrittenNumbers } from '#brand/written-numbers.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, quote } from '#platform/base/text.ts'
import { nearest } from './nearest.ts'
import { invalid, orPlaceholder, type Reader, readAnd, readItems, refuse, textOf, withSubject } from './reader.ts'

/** Reads a name: one line of at most 1,000 characters. */
export const readName: Reader<string> = node => readLine(node, 1000)

/** Reads a short string: one line of at most 200 characters. */
export const readShortText: Reader<string> = node => readLine(node, 200)

/** Reads a description of at most 1,000 characters on any number of lines; `""` if there is nothing to describe. */
export const readDescription: Reader<string> = node => {
  if (node.kind !== 'text') return refuse(node, 'write text')
  return checkText(node, 1000, /[^\P{Cc}\n\t]/u)
}

/** Reads and parses a short string. The problem from `parse` is the end of a sentence. */
export function readParsed<Value>(parse: (text: string) => Result<Value, string>): Reader<Value> {
  return readAnd(readShortText, (text, node) => {
    const parsed = parse(text)
    return parsed.ok ? parsed : invalid(node, parsed.problem)
  })
}

/** Reads a language tag (BCP 47) in its canonical form: `de`, `pt-BR`. */
export const readLanguage = readParsed(text => {
  const [tag] = attempt(() => Intl.getCanonicalLocales(text)) ?? []
  if (tag !== undefined) return ok(tag)
  return failed(`is ${quote(text)}, which is not a language tag; write one such as de, en-GB or zh-Hant`)
})

/** Reads one of a few words. The problem suggests the word that was probably meant. */
export function readOneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return node => {
    const text = textOf(node)
    const word = words.find(one => one === text)
    if (word !== undefined) return ok(word)
    const meant = nearest(text, words)
    const help = meant === undefined ? '' : `; did you mean "${meant}"?`
    return refuse(node, `write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}${help}`)
  }
}

/** Reads one or more of a few words: a list, or a string with commas. Gives each word once, in the order of `words`. */
export function readWords<const Word extends string>(words: readonly Word[]): Reader<Word[]> {
  const readWord = readOneOf(words)
  return node => {
    if (node.kind !== 'list' && node.kind !== 'text') return refuse(node, `write one or more of ${words.join(', ')}`)
    const texts = node.kind === 'text' ? node.text.split(',').map(text => ({ ...node, text: text.trim() })) : node.items
    if (texts.length === 0) return invalid(node, `is empty; write one or more of ${words.join(', ')}`)
    const given = readItems(texts, readWord)
    return given.ok ? ok(words.filter(word => given.value.includes(word))) : given
  }
}

/** Reads a calendar day: `2026-11-29`. */
export const readDay = readParsed(text => {
  const mistake = mistakeInDay(text)
  if (mistake === undefined) return ok(text)
  return failed(`is ${quote(text)}${mistake}; write a day as YYYY-MM-DD, as in 2027-11-29`)
})

/** Why a day in the right form does not exist, as a part of a sentence; empty for another form, undefined for a day. */
function mistakeInDay(text: string): string | undefined {
  const [, year, month = 0, day = 0] = groupsOf(/^(\d{4})-(\d{2})-(\d{2})$/, text).map(Number)
  if (year === undefined) return ''
  if (month < 1 || month > 12) return ', but a year has the months 01 to 12'
  if (day < 1) return ', but days begin at 01'
  // Day 0 of the next month. The calendar repeats every 400 years, and JavaScript takes years below 100 for 19xx.
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0))
  if (day <= lastDay.getUTCDate()) return undefined
  const name = lastDay.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' })
  return `, but ${name} ${year} has ${lastDay.getUTCDate()} days`
}

export const readFlag: Reader<boolean> = readAnd(readOneOf(['true', 'false']), word => ok(word === 'true'))

/** Reads one line that is not blank. */
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

/** Plain text, an email address, or a URL. */
export const readContact: Reader<string> = readAnd(readName, (text, node) =>
  /^(?:https?|mailto):/i.test(text.trim()) ? readUrl(node) : ok(text),
)

/** Absolute URLs only: a relative one would depend on the page, and one with a leading slash would leave the guide. */
export const readUrl: Reader<string> = readAnd(readName, (text, node) => {
  const url = text.trim()
  if (/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(url) && URL.canParse(url)) return ok(url)
  return invalid(node, `is ${quote(url)}; write an address that begins with https://, http:// or mailto:`)
})

const MAX_NUMBER = 1_000_000

/** Reads a decimal number within ±1,000,000. `form` is the expected form in messages: `a number above 0, as in 16`. */
export function readNumber(form: string, accepts: (number: number) => boolean): Reader<number> {
  const parse = (text: string): number | undefined => {
    // Adding 0 turns -0 into 0.
    const number = isDecimal(text) ? Number(text) + 0 : Number.NaN
    return Math.abs(number) <= MAX_NUMBER && accepts(number) ? number : undefined
  }
  return orPlaceholder(node => {
    const text = textOf(node).trim()
    const value = parse(text)
    if (value !== undefined) return ok(value)
    // A number with a unit, as in `12 mm`, gets its own advice.
    const [, bare = '', unit = ''] = groupsOf(/^(.*?) ?([a-z]{1,4})$/i, text)
    if (parse(bare) === undefined) return refuse(node, `write ${form}`)
    const pixels = form.includes('px') ? PIXELS.get(unit.toLowerCase()) : undefined
    if (pixels === undefined) return refuse(node, `write only the number, without a unit: ${bare}`)
    return refuse(node, `write it in px, without a unit: ${Math.ceil(Number(bare) * pixels)}`)
  })
}

/** The px of units on paper: CSS Values 4 §6.2. */
const PIXELS: ReadonlyMap<string, number> = new Map([
  ['mm', 96 / 25.4],
  ['cm', 96 / 2.54],
  ['in', 96],
  ['pt', 96 / 72],
])

/** Reads several numbers in a string or a list. `form` is the expected form in messages: `four numbers, 0 to 100`. */
export function readNumbers<Value>(
  parse: (written: WrittenNumbers) => Result<Value, string>,
  form: string,
): Reader<Value> {
  return orPlaceholder(node => {
    if (node.kind === 'mapping') return refuse(node, `write ${form}`)
    if (node.kind !== 'list') return readParsed(parse)(node)
    const other = node.items.find(item => item.kind !== 'text')
    if (other !== undefined) return failed(withSubject('has an entry that', refuse(other, 'write a number')))
    const parsed = parse(node.items.filter(item => item.kind === 'text').map(item => item.text))
    return parsed.ok ? parsed : invalid(node, parsed.problem)
  })
}

const SHORT = 'a letter from a to z or a digit, then such letters, digits and single hyphens, 63 characters at most'

export const readWorkspaceId = pinnedId(isWorkspaceId, SHORT)

export const readProjectId = pinnedId(isProjectId, SHORT)

export const readPageId = pinnedId(
  isPageId,
  'lower-case letters, digits and single hyphens, with "/" between parts, at most 255 characters',
)

export const readStyleId = pinnedId(isStyleId, 'lower-case letters, digits and single hyphens, 200 characters at most')

/** Reads a pinned id, which is never changed to make it valid. The problem suggests the intended id, also for the path of a page. */
function pinnedId<Id extends string>(isId: (text: string) => text is Id, form: string): Reader<Id> {
  return readAnd(readName, (value, node) => {
    if (isId(value)) return ok(value)
    // `pages/Logo/index.md` → `logo`
    const slugs = value
      .replace(/^(?:\.\/)?(?:pages\/)?(.*?)(?:\/index)?\.md$/i, '$1')
      .split('/')
      .map(slug)
      .filter(segment => segment !== '')
      .join('/')
    const fix = RESERVED_WORKSPACE_IDS.includes(value)
      ? 'this id is reserved, so write another'
      : /^-\S/.test(value)
        ? 'write a space after its dash'
        : `write ${isId(slugs) ? quote(slugs) : form}`
    return failed({ rule: 'id-invalid', line: node.line, message: `is ${quote(value)}; ${fix}` })
  })
}
