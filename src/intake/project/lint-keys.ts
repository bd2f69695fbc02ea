import { withoutUndefined } from '../../base/object.ts'
import { ok } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { keysOf } from '../../brand/fields.ts'
import type { Problem } from '../../brand/finding.ts'
import {
  type BrandWord,
  LINT_LEVELS,
  LINT_RULES,
  type LintLevel,
  type LintRuleId,
  type LintSettings,
  NEUTRALS,
} from '../../brand/lint-rules.ts'
import { LINT_KEYS, MAX_AVOIDED, MAX_WORDS, WORD_KEYS } from '../schema/project.ts'
import { readFields, readOptional, readRequired } from '../yaml/fields.ts'
import { advice, nearest } from '../yaml/nearest.ts'
import { invalid, type Reader, refuse, withSubject } from '../yaml/reader.ts'
import { type Reference, readReference, readReferences } from '../yaml/references.ts'
import { readName, readOneOf } from '../yaml/texts.ts'
import type { YamlNode } from '../yaml/yaml.ts'

/** A word of the brand whose page is unresolved. */
export type WrittenWord = Omit<BrandWord, 'page'> & { page?: Reference }

/** Reads `words`; undefined if the list is empty. Omits invalid entries, and reports avoided words that contradict others. */
export function readWords(node: YamlNode, problems: Problem[]): WrittenWord[] | undefined {
  if (node.kind !== 'list' || node.items.length > MAX_WORDS) {
    const problem =
      node.kind === 'list'
        ? invalid(node, `has ${node.items.length} entries; write at most ${MAX_WORDS.toLocaleString('en')}`)
        : refuse(node, 'write a list of words, as in [{ write: use, not: utilise }]')
    problems.push(withSubject('"words"', problem))
    return []
  }
  const owners = new Map<string, YamlNode>()
  const words = node.items.flatMap(item => {
    const word = readWord(item, problems)
    for (const avoided of word?.not ?? []) {
      const message = word && contradiction(word.write, avoided, item, owners)
      if (message !== undefined) problems.push({ rule: 'value-invalid', line: item.line, message })
    }
    return word ?? []
  })
  return node.items.length === 0 ? undefined : words
}

function readWord(node: YamlNode, problems: Problem[]): WrittenWord | undefined {
  const fields = readFields(node, 'an entry of "words"', keysOf(WORD_KEYS), problems)
  if (!fields) return undefined
  const write = readRequired(fields, 'write', readName)?.trim()
  const not = readRequired(fields, 'not', readAvoided)
  const reason = readOptional(fields, 'reason', readName)?.trim()
  const page = readOptional(fields, 'page', readReference)
  return write === undefined || not === undefined ? undefined : withoutUndefined({ write, not, reason, page })
}

const readAvoided: Reader<string[]> = node => {
  const texts = readReferences(node)
  if (!texts.ok) return texts
  const avoided = [...new Set(texts.value.map(({ text }) => text))]
  if (avoided.length === 0) return invalid(node, 'is empty; write the words to avoid, as in [utilise, leverage]')
  return avoided.length > MAX_AVOIDED
    ? invalid(node, `has ${avoided.length} words; write at most ${MAX_AVOIDED}`)
    : ok(avoided)
}

/**
 * The problem with an avoided word that is also the word to write, or that another entry avoids. Case only matters if
 * the two words of an entry differ only in case.
 *
 * @param owners the first entry of each avoided word, to which this adds one
 */
function contradiction(write: string, avoided: string, entry: YamlNode, owners: Map<string, YamlNode>) {
  const [right, wrong] = [write.normalize('NFC'), avoided.normalize('NFC')]
  if (right === wrong) return `"words" says to write ${quote(write)} and to avoid it; remove it from "not"`
  const key = right.toLowerCase() === wrong.toLowerCase() ? wrong : wrong.toLowerCase()
  const owner = owners.get(key) ?? entry
  owners.set(key, owner)
  if (owner === entry) return undefined
  return `"words" avoids ${quote(avoided)} here and on line ${owner.line}; keep one of the two`
}

/** Reads `lint`; undefined if it sets nothing. */
export function readLint(node: YamlNode, problems: Problem[]): LintSettings | undefined {
  const fields = readFields(node, 'lint', keysOf(LINT_KEYS), problems)
  if (!fields) return undefined
  const rules = fields.entries.get('rules')?.value
  const levels = rules && readLevels(rules, LEVELS, problems)
  const lint = withoutUndefined({
    ignore: readOptional(fields, 'ignore', readGlobs),
    rules: levels && levels.size > 0 ? Object.fromEntries(levels) : undefined,
    neutrals: readOptional(fields, 'neutrals', readOneOf(NEUTRALS)),
  } satisfies Record<keyof LintSettings, unknown>)
  return Object.keys(lint).length === 0 ? undefined : lint
}

const LEVELS = {
  subject: '"rules" in "lint"',
  ids: keysOf(LINT_RULES),
  isId: (text: string): text is LintRuleId => Object.hasOwn(LINT_RULES, text),
  example: 'color-literal: warning',
  page: 'docs/lint.md',
  refusal: (id: LintRuleId, written: string) =>
    written === 'off' && 'isAlwaysOn' in LINT_RULES[id]
      ? 'cannot be off: a file that is not read would seem to be right; write warning or error'
      : undefined,
}

/** Only lists: a glob may have commas. */
const readGlobs: Reader<string[]> = node => {
  if (node.kind !== 'list') return refuse(node, 'write a list of globs, as in ["vendor/**"]')
  const globs = readReferences(node)
  return globs.ok ? ok(globs.value.map(({ text }) => text)) : globs
}

/** The rules whose levels a mapping sets; `subject`, `example` and `page` are for messages. */
type Rules<Id extends string> = {
  subject: string
  ids: readonly string[]
  isId: (text: string) => text is Id
  example: string
  page: string
  /** The reason why a rule cannot have the written level, as the end of a sentence; undefined if it can. */
  refusal: (id: Id, written: string) => string | undefined
}

/** Reads the levels of rules. Reports and omits unknown rules, and levels that a rule cannot have. */
export function readLevels<Id extends string>(
  node: YamlNode,
  { subject, ids, isId, example, page, refusal }: Rules<Id>,
  problems: Problem[],
): Map<Id, LintLevel> {
  const levels = new Map<Id, LintLevel>()
  if (node.kind !== 'mapping') {
    problems.push(withSubject(subject, refuse(node, `write rules with their levels, as in { ${example} }`)))
    return levels
  }
  for (const { key, line, value } of node.entries) {
    if (!isId(key)) {
      const help = advice(nearest(key, ids), `${page} lists all rules`)
      problems.push({
        rule: 'key-unknown',
        line,
        message: `${subject} has ${quote(key)}, which is not a rule; ${help}`,
      })
      continue
    }
    const why = refusal(key, value.kind === 'text' ? value.text : '')
    const level = readLevel(value)
    if (why !== undefined) problems.push({ rule: 'rule-fixed', line, message: `${subject} sets ${key}, which ${why}` })
    else if (level.ok) levels.set(key, level.value)
    else problems.push(withSubject(`the rule ${quote(key)}`, level))
  }
  return levels
}

const readLevel = readOneOf(LINT_LEVELS)
