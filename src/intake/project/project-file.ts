import { OFFICE_COLORS, OFFICE_FONTS, PROJECT_FIELDS, SCALE_FIELDS, THEME_FIELDS } from '#brand/appearance.ts'
import type { Reviewers } from '#brand/draft.ts'
import { keysOf } from '#brand/fields.ts'
import { isFixedRule, type Problem, RULE_LEVELS, RULES, type RuleId, type RuleLevel } from '#brand/finding.ts'
import type { PageId } from '#brand/ids.ts'
import {
  type BrandWord,
  LINT_LEVELS,
  LINT_RULES,
  type LintRuleId,
  type LintSettings,
  NEUTRALS,
} from '#brand/lint-rules.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import { ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { COMMON_KINDS, type ReadValues, readValues } from '../schema/kinds.ts'
import {
  FOOTER_LINK_KEYS,
  LINT_KEYS,
  MAX_AVOIDED,
  MAX_REVIEWER_ADDRESSES,
  MAX_REVIEWERS,
  MAX_WORDS,
  NO_THEME,
  OFFICE_KEYS,
  PROJECT_KINDS,
  PUBLISHING_KEYS,
  THEME_KINDS,
  WORD_KEYS,
} from '../schema/project.ts'
import { dashMistake } from '../yaml/dashes.ts'
import { type Fields, readFields, readOptional, readRequired, readRootMapping } from '../yaml/fields.ts'
import { advice, nearest } from '../yaml/nearest.ts'
import { invalid, type Reader, readAnd, refuse, textOf, withSubject } from '../yaml/reader.ts'
import { MAX_ENTRIES, type Reference, readReference, readReferences, readTextList } from '../yaml/references.ts'
import { readName, readNumber, readOneOf, readPageId, readUrl } from '../yaml/scalars.ts'

/** The content of `project.yaml`, with unresolved references. A missing or invalid field is absent; `pages` is empty instead. */
export type ProjectFile = ReadValues<typeof PROJECT_FIELDS, typeof PROJECT_KINDS> & {
  /** The pages that come first, in reading order. */
  pages: ListedPage[]
  theme?: WrittenTheme
  isNeutral?: boolean
  reviewers?: Reviewers
  footer?: { name: string; url: string }[]
  office?: WrittenOffice
  words?: WrittenWord[]
  lint?: LintSettings
  /** The rules whose level differs from the default. */
  rules?: ReadonlyMap<RuleId, RuleLevel>
}

type ListedPage = { id: PageId; line: number }

/** Reads `project.yaml`; an empty text for a project without the file. */
export function readProjectFile(text: string): { project: ProjectFile; problems: Problem[] } {
  const { fields, problems } = readRootMapping(text, 'project.yaml', keysOf(PROJECT_FIELDS))
  // `theme: none` is the only theme that is not a mapping.
  const theme = fields.entries.get('theme')?.value
  const isNeutral = textOf(theme) === NO_THEME || undefined
  const values = readValues(fields, PROJECT_FIELDS, PROJECT_KINDS)
  const nestedValues = {
    pages: readPages(fields),
    theme: isNeutral ? undefined : readNested(fields, 'theme', readTheme),
    footer: readOptional(fields, 'footer', node => readFooter(node, fields.problems)),
    office: readNested(fields, 'office', readOffice),
    words: readNested(fields, 'words', readWords),
    publishing: readNested(fields, 'publishing', readPublishing),
    lint: readNested(fields, 'lint', readLint),
    rules: readNested(fields, 'rules', (node, problems) => readLevels(node, BRAND_RULES, problems)),
  } satisfies Record<Exclude<keyof typeof PROJECT_FIELDS, keyof typeof values>, unknown>
  const { publishing, ...others } = nestedValues
  return { project: withoutUndefined({ ...values, ...others, reviewers: publishing, isNeutral }), problems }
}

/** Reads a mapping or list, which reports its own problems; undefined if the key is absent. */
function readNested<Value>(
  { entries, problems }: Fields<string>,
  key: string,
  read: (node: YamlNode, problems: Problem[]) => Value,
): Value | undefined {
  const node = entries.get(key)?.value
  return node && read(node, problems)
}

/** Reads `pages`, a list of page ids. Reports and omits repeated ones. */
function readPages({ entries, problems }: Fields<string>): ListedPage[] {
  const node = entries.get('pages')?.value
  if (node === undefined) return []
  if (node.kind !== 'list') {
    const mistake = dashMistake(textOf(node))
    const form = 'write a list of page ids, as in [index, logo]'
    problems.push(withSubject('"pages"', mistake === undefined ? refuse(node, form) : invalid(node, mistake)))
    return []
  }
  const pages = new Map<PageId, number>()
  for (const item of node.items) {
    const id = readPageId(item)
    const first = id.ok ? pages.get(id.value) : undefined
    if (!id.ok) problems.push(withSubject('an entry of "pages"', id))
    else if (first === undefined) pages.set(id.value, item.line)
    else {
      const message = `"pages" lists ${quote(id.value)} here and on line ${first}; keep one of the two`
      problems.push({ rule: 'value-invalid', line: item.line, message })
    }
  }
  return Array.from(pages, ([id, line]) => ({ id, line }))
}

/** A theme whose references to pictures, colours and type styles are unresolved. */
export type WrittenTheme = ReadValues<typeof THEME_FIELDS, typeof THEME_KINDS> & {
  scale?: ReadValues<typeof SCALE_FIELDS, typeof COMMON_KINDS>
}

function readTheme(node: YamlNode, problems: Problem[]): WrittenTheme | undefined {
  const fields = readFields(node, 'theme', keysOf(THEME_FIELDS), problems)
  if (node.kind !== 'mapping') return undefined
  const written = fields.entries.get('scale')?.value
  const scale = written && readFields(written, 'scale', keysOf(SCALE_FIELDS), problems)
  return {
    ...readValues(fields, THEME_FIELDS, THEME_KINDS),
    ...(scale && { scale: readValues(scale, SCALE_FIELDS, COMMON_KINDS) }),
  }
}

function readFooter(node: YamlNode, problems: Problem[]): Result<{ name: string; url: string }[], Problem> {
  const items = readItemNodes(
    node,
    'links',
    MAX_ENTRIES,
    'write a list of links, as in [{ name: Imprint, url: https://… }]',
  )
  if (!items.ok) return items
  const links = items.value.flatMap(item => {
    const fields = readFields(item, 'a link of footer', keysOf(FOOTER_LINK_KEYS), problems)
    const [name, url] = [readRequired(fields, 'name', readName), readRequired(fields, 'url', readUrl)]
    return name && url ? [{ name, url }] : []
  })
  return ok(links)
}

/** The nodes of a list with at most `max` entries. */
function readItemNodes(node: YamlNode, noun: string, max: number, form: string): Result<readonly YamlNode[], Problem> {
  if (node.kind !== 'list') return refuse(node, form)
  const { length } = node.items
  return length > max
    ? invalid(node, `has ${length} ${noun}; write at most ${max.toLocaleString('en')}`)
    : ok(node.items)
}

/** The Office theme in project.yaml: unresolved colours and families. */
export type WrittenOffice = { [Key in keyof typeof OFFICE_KEYS]?: Reference }

/** The keys of `office` that are written together or not at all, with the fix if some are missing. */
const KEY_GROUPS = [
  [OFFICE_COLORS, 'an Office theme needs twelve colours; write them all, and repeat a colour if necessary'],
  [OFFICE_FONTS, 'an Office theme needs two fonts; write both, and repeat the family if there is only one'],
] as const

/** Reads `office`: all twelve colours or none, both families or none. Undefined if it has neither. */
function readOffice(node: YamlNode, problems: Problem[]): WrittenOffice | undefined {
  const officeKeys = keysOf(OFFICE_KEYS)
  const fields = readFields(node, 'office', officeKeys, problems)
  if (fields.entries.size === 0) {
    const message = `"office" is empty; write "key: value" lines, with the keys ${officeKeys.join(', ')}`
    fields.problems.push({ rule: 'value-invalid', line: node.line, message })
  }
  for (const [keys, fix] of KEY_GROUPS) {
    const absent = keys.filter(key => !fields.entries.has(key))
    if (absent.length === 0 || absent.length === keys.length) continue
    problems.push({ rule: 'value-missing', line: node.line, message: `"office" has no ${absent.join(', ')}: ${fix}` })
  }
  const written = officeKeys.map(key => [key, readOptional(fields, key, readReference)] as const)
  const office: WrittenOffice = withoutUndefined(Object.fromEntries(written))
  return unlessEmpty(office)
}

/** A word of the brand whose page is unresolved. */
export type WrittenWord = Omit<BrandWord, 'page'> & { page?: Reference }

/** Reads `words`; undefined if the list is empty. Omits invalid entries, and reports avoided words that contradict others. */
function readWords(node: YamlNode, problems: Problem[]): WrittenWord[] | undefined {
  const items = readItemNodes(node, 'entries', MAX_WORDS, 'write a list of words, as in [{ write: use, not: utilise }]')
  if (!items.ok) {
    problems.push(withSubject('"words"', items))
    return []
  }
  const entries = items.value.flatMap(item => readWord(item, problems).map(word => ({ item, word })))
  /** The first entry that avoids each word. */
  const owners = new Map<string, YamlNode>()
  for (const { item, word } of entries)
    problems.push(...word.not.flatMap(avoided => contradictions(word.write, avoided, item, owners)))
  return items.value.length === 0 ? undefined : entries.map(({ word }) => word)
}

function readWord(node: YamlNode, problems: Problem[]): WrittenWord[] {
  const fields = readFields(node, 'an entry of "words"', keysOf(WORD_KEYS), problems)
  const write = readRequired(fields, 'write', readName)?.trim()
  const not = readRequired(fields, 'not', readAvoided)
  const reason = readOptional(fields, 'reason', readName)?.trim()
  const page = readOptional(fields, 'page', readReference)
  return write === undefined || not === undefined ? [] : [withoutUndefined({ write, not, reason, page })]
}

const readAvoided: Reader<string[]> = readAnd(readTextList, (texts, node) => {
  const avoided = [...new Set(texts)]
  if (avoided.length === 0) return invalid(node, 'is empty; write the words to avoid, as in [utilise, leverage]')
  return avoided.length > MAX_AVOIDED
    ? invalid(node, `has ${avoided.length} words; write at most ${MAX_AVOIDED}`)
    : ok(avoided)
})

/**
 * The problem with an avoided word that is also the word to write, or that another entry avoids. Case only matters if
 * the two words of an entry differ only in case, as in `{ write: Acme, not: ACME }`.
 *
 * @param owners the first entry of each avoided word, to which this adds one
 */
function contradictions(write: string, avoided: string, entry: YamlNode, owners: Map<string, YamlNode>): Problem[] {
  const right = write.normalize('NFC')
  const wrong = avoided.normalize('NFC')
  const { line } = entry
  if (right === wrong) {
    const message = `"words" says to write ${quote(write)} and to avoid it; remove it from "not"`
    return [{ rule: 'value-invalid', line, message }]
  }
  const key = right.toLowerCase() === wrong.toLowerCase() ? wrong : wrong.toLowerCase()
  const owner = owners.get(key) ?? entry
  owners.set(key, owner)
  const message = `"words" avoids ${quote(avoided)} here and on line ${owner.line}; keep one of the two`
  return owner === entry ? [] : [{ rule: 'value-invalid', line, message }]
}

/** Reads `publishing`: its reviewers; undefined without any. */
function readPublishing(node: YamlNode, problems: Problem[]): Reviewers | undefined {
  const fields = readFields(node, 'publishing', keysOf(PUBLISHING_KEYS), problems)
  return readOptional(fields, 'reviewers', readReviewers)
}

const readReviewers: Reader<Reviewers> = node => (node.kind === 'list' ? readAddresses : readReviewerCount)(node)

const readAddresses: Reader<Reviewers> = readAnd(readReferences, (references, node) => {
  const wrong = references.find(({ text }) => !/^[^\s@]+@[^\s@]+$/.test(text))
  if (wrong) return invalid(wrong, `has ${quote(wrong.text)}, which is not an address; ${REVIEWERS_FORM}`)
  const { length } = references
  if (length < 1 || length > MAX_REVIEWER_ADDRESSES) return invalid(node, `has ${length} addresses; ${REVIEWERS_FORM}`)
  return ok(references.map(({ text }) => text))
})

const REVIEWERS_FORM = `write a number from 1 to ${MAX_REVIEWERS}, or at most ${MAX_REVIEWER_ADDRESSES} addresses, as in [ada@acme.example]`
const readReviewerCount = readNumber(
  REVIEWERS_FORM.replace('write ', ''),
  count => Number.isInteger(count) && count >= 1 && count <= MAX_REVIEWERS,
)

/** Reads `lint`; undefined if it sets nothing. */
function readLint(node: YamlNode, problems: Problem[]): LintSettings | undefined {
  const fields = readFields(node, 'lint', keysOf(LINT_KEYS), problems)
  const levels = readNested(fields, 'rules', rules => readLevels(rules, FILE_RULES, problems))
  const lint = withoutUndefined({
    ignore: readOptional(fields, 'ignore', readTexts('globs', '["vendor/**"]')),
    rules: levels && unlessEmpty(Object.fromEntries(levels)),
    neutrals: readOptional(fields, 'neutrals', readOneOf(NEUTRALS)),
    fonts: readOptional(fields, 'fonts', readTexts('families', '["Font Awesome 6 Free"]')),
    technicalInks: readOptional(fields, 'technicalInks', readTexts('spot colours', '["Kiss Cut"]')),
  } satisfies Record<keyof LintSettings, unknown>)
  return unlessEmpty(lint)
}

const FILE_RULES = {
  subject: '"rules" in "lint"',
  ids: keysOf(LINT_RULES),
  example: 'color-literal: warning',
  page: 'docs/lint.md',
  readLevel: readOneOf(LINT_LEVELS),
  refusal: (id: LintRuleId, written: string) =>
    QUIET.has(written) && 'isAlwaysOn' in LINT_RULES[id]
      ? `cannot be ${written}: a file that is not read would seem to be right; write warning or error`
      : undefined,
}

/** The levels that hide findings. */
const QUIET: ReadonlySet<string> = new Set(['off', 'note'])

/** Only lists: a glob may have commas. */
function readTexts(noun: string, example: string): Reader<string[]> {
  return node => {
    return node.kind === 'list' ? readTextList(node) : refuse(node, `write a list of ${noun}, as in ${example}`)
  }
}

/** The rules whose levels a mapping sets; `subject`, `example` and `page` are for messages. */
type Rules<Id extends string, Level> = {
  subject: string
  ids: readonly Id[]
  example: string
  page: string
  readLevel: Reader<Level>
  /** The reason why a rule cannot have the written level, as the end of a sentence; undefined if it can. */
  refusal: (id: Id, written: string) => string | undefined
}

/** Reads the levels of rules. Reports and omits unknown rules, and levels that a rule cannot have. */
function readLevels<Id extends string, Level>(
  node: YamlNode,
  { subject, ids, example, page, readLevel, refusal }: Rules<Id, Level>,
  problems: Problem[],
): Map<Id, Level> {
  const levels = new Map<Id, Level>()
  if (node.kind !== 'mapping') {
    problems.push(withSubject(subject, refuse(node, `write rules with their levels, as in { ${example} }`)))
    return levels
  }
  for (const { key, line, value } of node.entries) {
    const id = ids.find(each => each === key)
    if (id === undefined) {
      const help = advice(nearest(key, ids), `${page} lists all rules`)
      const message = `${subject} has ${quote(key)}, which is not a rule; ${help}`
      problems.push({ rule: 'key-unknown', line, message })
      continue
    }
    const why = refusal(id, textOf(value))
    const level = readLevel(value)
    if (why !== undefined) problems.push({ rule: 'rule-fixed', line, message: `${subject} sets ${key}, which ${why}` })
    else if (level.ok) levels.set(id, level.value)
    else problems.push(withSubject(`the rule ${quote(key)}`, level))
  }
  return levels
}

const BRAND_RULES = {
  subject: '"rules"',
  ids: keysOf(RULES),
  example: 'link-broken: error',
  page: 'docs/findings.md',
  readLevel: readOneOf(RULE_LEVELS),
  refusal: (id: RuleId) =>
    isFixedRule(id) ? 'cannot be changed; remove it, and fix the problems that the rule reports' : undefined,
}
