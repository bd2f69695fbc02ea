import { withoutUndefined } from '../../base/object.ts'
import { quote } from '../../base/text.ts'
import { keysOf } from '../../brand/fields.ts'
import { isFixedRule, isRuleId, type Problem, RULES, type RuleId, type RuleLevel } from '../../brand/finding.ts'
import type { PageId, ProjectId } from '../../brand/ids.ts'
import { PROJECT_KEYS } from '../schema/project.ts'
import { dashMistake } from '../yaml/dashes.ts'
import { type Fields, readOptional, readRootMapping } from '../yaml/fields.ts'
import { readPageId, readProjectId } from '../yaml/ids.ts'
import { invalid, refuse, withSubject } from '../yaml/reader.ts'
import { readLanguage, readName, readOneOf } from '../yaml/texts.ts'
import { readAppearance, type WrittenAppearance } from './appearance-keys.ts'
import { readLevels } from './lint-keys.ts'

const KEYS = keysOf(PROJECT_KEYS)

/** The content of `project.yaml`. A missing or invalid field is absent; `pages` is empty instead. */
export type ProjectFile = {
  id?: ProjectId
  name?: string
  visibility?: 'private' | 'public'
  /** The pages that come first, in reading order. */
  pages: ListedPage[]
  /** Whether the API also serves earlier revisions. */
  revisions?: 'private' | 'served'
  /** The language of the guide, as a BCP 47 tag. */
  lang?: string
  /** Theme, contact, footer, Office theme, words and settings of lint; absent if none is set. */
  appearance?: WrittenAppearance
  /** The rules whose level differs from the default. */
  rules?: ReadonlyMap<RuleId, RuleLevel>
}

type ListedPage = { id: PageId; line: number }

export function readProjectFile(text: string): { project: ProjectFile; problems: Problem[] } {
  const { fields, problems } = readRootMapping(text, 'project.yaml', KEYS)
  if (fields === undefined) return { project: { pages: [] }, problems }
  const pages = readPages(fields)
  const rest = withoutUndefined({
    id: readOptional(fields, 'id', readProjectId),
    name: readOptional(fields, 'name', readName),
    visibility: readOptional(fields, 'visibility', readOneOf(['private', 'public'])),
    revisions: readOptional(fields, 'revisions', readOneOf(['private', 'served'])),
    lang: readOptional(fields, 'lang', readLanguage),
  } satisfies Record<Exclude<keyof ProjectFile, 'pages' | 'appearance' | 'rules'>, unknown>)
  const appearance = readAppearance(fields)
  const rules = readRules(fields)
  return { project: withoutUndefined({ ...rest, pages, appearance, rules }), problems }
}

function readPages({ entries, problems }: Fields<(typeof KEYS)[number]>): ListedPage[] {
  const node = entries.get('pages')?.value
  if (node === undefined) return []
  if (node.kind !== 'list') {
    const mistake = node.kind === 'text' ? dashMistake(node.text) : undefined
    const form = 'write a list of page ids, as in [index, logo]'
    problems.push(withSubject('"pages"', mistake === undefined ? refuse(node, form) : invalid(node, mistake)))
    return []
  }
  const pages = new Map<PageId, number>()
  for (const item of node.items) {
    const id = readPageId(item)
    if (!id.ok) {
      problems.push(withSubject('an entry of "pages"', id))
      continue
    }
    const first = pages.get(id.value)
    if (first === undefined) {
      pages.set(id.value, item.line)
    } else {
      const message = `"pages" lists ${quote(id.value)} here and on line ${first}; keep one of the two`
      problems.push({ rule: 'value-invalid', line: item.line, message })
    }
  }
  return Array.from(pages, ([id, line]) => ({ id, line }))
}

function readRules({ entries, problems }: Fields<(typeof KEYS)[number]>): Map<RuleId, RuleLevel> | undefined {
  const node = entries.get('rules')?.value
  return node && readLevels(node, LEVELS, problems)
}

const LEVELS = {
  subject: '"rules"',
  ids: Object.keys(RULES),
  isId: isRuleId,
  example: 'link-broken: error',
  page: 'docs/findings.md',
  refusal: (id: RuleId) =>
    isFixedRule(id) ? 'cannot be changed; remove it, and fix the problems that the rule reports' : undefined,
}
