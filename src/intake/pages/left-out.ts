import type { Problem } from '#brand/finding.ts'
import type { YamlEntry } from '#formats/yaml/parse-yaml.ts'
import { groupsOf, quote, wordSet } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'

/**
 * A field of front matter with which other programs leave a page out of their sites, such as `draft: true`. The text of
 * its value; for other values than text their kind, such as `empty`.
 */
export type WrittenState = { key: string; text: string; line: number }

/** The values of a field that leave a page out: yes or no, or a day later or earlier than today. */
type Rule = 'yes' | 'no' | 'later' | 'earlier'

/** The fields of Hugo, Jekyll, Docusaurus, Starlight, VitePress and Obsidian, in lower case. */
const RULES: ReadonlyMap<string, readonly Rule[]> = new Map([
  ['draft', ['yes']],
  ['hidden', ['yes']],
  ['unlisted', ['yes']],
  ['private', ['yes']],
  ['published', ['no', 'later']],
  ['publish', ['no', 'later']],
  ['date', ['later']],
  ['pubdate', ['later']],
  ['publishdate', ['later']],
  ['expirydate', ['earlier']],
  ['unpublishdate', ['earlier']],
])

/** The rules of a field in any case, with or without hyphens: `publishDate` or `publish-date`. */
const rulesOf = (key: string) => RULES.get(key.toLowerCase().replaceAll(/[_-]/g, '')) ?? []

/** Separates these fields from the others of front matter. */
export function takeStates(entries: readonly YamlEntry[]): { states: WrittenState[]; others: YamlEntry[] } {
  const valueText = ({ value }: YamlEntry) => (value.kind === 'text' ? value.text.trim() : value.kind)
  const isState = (entry: YamlEntry) =>
    rulesOf(entry.key).length > 0 || (entry.key.toLowerCase() === STATUS && OFF.has(valueText(entry).toLowerCase()))
  const { states = [], others = [] } = Object.groupBy(entries, entry => (isState(entry) ? 'states' : 'others'))
  return { states: states.map(entry => ({ key: entry.key, line: entry.line, text: valueText(entry) })), others }
}

/** Why a page is left out, as a problem at its field; else the problems with the fields. `today` is a day in UTC. */
export function pageState(
  states: readonly WrittenState[],
  today: string,
): { leftOut?: Problem; problems: readonly Problem[] } {
  for (const { key, text, line } of states) {
    const day = dayIn(text) ?? today
    const isOff = rulesOf(key).some(rule => APPLIES[rule](text, day, today))
    const orImportLater = day > today ? ', and then import it again' : ''
    const message = `the page is left out, because it has "${key}: ${text}"; remove the line to publish it${orImportLater}`
    if (isOff) return { leftOut: problem('page-draft', message, line), problems: [] }
  }
  return { problems: states.flatMap(state => unknownState(state) ?? []) }
}

/** Whether a rule leaves a page out; `day` is the day in the text, or today if it has none. */
const APPLIES: Readonly<Record<Rule, (text: string, day: string, today: string) => boolean>> = {
  yes: text => !NO.has(text.toLowerCase()),
  no: text => NO.has(text.toLowerCase()),
  later: (_text, day, today) => day > today,
  earlier: (_text, day, today) => day < today,
}

/** `empty` is the kind of a missing value. */
const NO = wordSet('false no off 0 null ~ empty')
const YES = wordSet('true yes on 1')
/** A field that has no rule and leaves nothing out, because a page about a component may have the status of that. */
const STATUS = 'status'
const OFF = wordSet('draft hidden private unpublished')

/** The problem with a field that did not leave the page out, and whose value is not clear. */
function unknownState({ key, text, line }: WrittenState): Problem | undefined {
  const rules = rulesOf(key)
  if (rules.includes('yes') || text === 'empty' || YES.has(text.toLowerCase())) return undefined
  const isDay = dayIn(text) !== undefined
  if (isDay && key.toLowerCase() !== 'date') return undefined
  const message = isDay
    ? `${quote(key)} is not used here, and shown nowhere: remove the line`
    : `${quote(key)} has a value that is not used, and the page is published: write "draft: true" to leave it out, or remove the line`
  return problem(isDay ? 'front-matter-key-unknown' : 'front-matter-value-unknown', message, line)
}

/** The day of a date: `2031-05-31` for `2031-05-31T10:00:00Z` or `31 May 2031`. Undefined for another text. */
function dayIn(text: string): string | undefined {
  const day = groupsOf(/^\d{4}-\d{2}-\d{2}(?![\w-]*\d)|^\d{4}-\d{2}-\d{2}(?=[T ])/, text)[0]
  if (day !== undefined) return day
  const time = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) return undefined
  // `31 May 2031` is a time of this machine's zone.
  const zoneMs = new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - zoneMs).toISOString().slice(0, 10)
}
