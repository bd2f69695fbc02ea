import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { LINT_LEVELS, type LintLevel } from '../../brand/lint-rules.ts'
import { advice, nearest } from '../yaml/nearest.ts'
import { refuse, withSubject } from '../yaml/reader.ts'
import { readOneOf } from '../yaml/texts.ts'
import type { YamlNode } from '../yaml/yaml.ts'

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
