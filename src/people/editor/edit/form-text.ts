import type { Document } from 'yaml'
import type { Problem } from '#brand/finding.ts'
import type { ReferenceTargets } from '#intake/appearance.ts'
import { errorsIn } from '#intake/file-problems.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { inEnglish } from '../fields.ts'
import { changedText, type EditedText, openText } from '../source/edited-text.ts'
import { problemsAtFields } from './field-problems.ts'
import { type AppliedForm, applyForm } from './form-changes.ts'
import { BODY, partOf, REMOVE, type Sent, type SentForm, textOf, wordsIn } from './form-parts.ts'
import type { Target } from './target.ts'

/** The problems of a form: those of its fields, by name, and that of the rest. */
export type FormProblem = { problem?: Word; problems?: ReadonlyMap<string, Word> }

/** The list before and after a change. The check of longer ones takes many seconds. */
const MAX_LISTS = 512_000

/** The new text of the file of a form, whose errors were all in the text of the branch before. */
export function textOfForm(
  words: Words,
  form: SentForm,
  base: string,
  targets: ReferenceTargets,
): Result<string, FormProblem> {
  const { kind, opened, sent } = form
  let applied: AppliedForm | undefined
  const change = (document: Document) => {
    applied = applyForm(words, form, document)
  }
  const text = changedText(kind, opened, change, sent.get(BODY)?.[0])
  if (!text.ok) return failed({ problem: inEnglish(words, text.problem) })
  const isSame = text.value === base
  if (!isSame && kind !== 'page' && text.value.length + base.length > MAX_LISTS)
    return failed({ problem: inEnglish(words, 'the list is larger than 256 kB; edit it with git') })
  const earlier = new Set(isSame ? [] : errorsIn(kind, base, targets).map(placeIn(base)))
  const errors = isSame ? [] : errorsIn(kind, text.value, targets)
  const added = errors.filter(error => !earlier.has(placeIn(text.value)(error)))
  const place = { yaml: openText(kind, text.value).yaml?.text ?? '', firstLine: kind === 'page' ? 2 : 1 }
  const found = problemsAtFields(words, applied, { ...place, found: added })
  const problems = new Map([...found.problems, ...(applied?.problems ?? [])])
  return problems.size > 0 || found.problem ? failed({ ...found, problems }) : ok(text.value)
}

/** The rule that a problem breaks, and its line as it is written. */
function placeIn(text: string): (problem: Problem) => string {
  const lines = text.split('\n')
  return ({ rule, line }) => `${rule} ${lines[(line ?? 0) - 1]}`
}

/** A page whose id changes keeps its address as an alias. */
export function withAlias({ kind, shown }: Target, { yaml }: EditedText, sent: Sent): Sent {
  const old = shown.slice(1)
  const idNode = partOf({ name: 'id' }, yaml?.root)
  const [id = textOf(idNode)] = sent.get(REMOVE)?.includes('/id') ? [''] : (sent.get('/id') ?? [])
  if (kind !== 'page' || old === '' || [old, textOf(idNode)].includes(id.trim())) return sent
  const before = sent.get('/aliases') ?? wordsIn(partOf({ name: 'aliases' }, yaml?.root)) ?? []
  return new Map([...sent, ['/aliases', [[...new Set([...before.flatMap(text => text.split('\n')), old])].join('\n')]]])
}
