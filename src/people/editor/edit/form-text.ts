import type { Document } from 'yaml'
import type { Problem } from '#brand/finding.ts'
import { yamlValue } from '#formats/yaml/document.ts'
import type { ReferenceTargets } from '#intake/appearance.ts'
import { errorsIn } from '#intake/file-problems.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { type Words, wordsFor } from '#site/words/words.ts'
import { inEnglish } from '../fields.ts'
import { changedText, type EditedText, type FileKind, openText } from '../source/edited-text.ts'
import { problemsAtFields } from './field-problems.ts'
import { type AppliedForm, applyForm } from './form-changes.ts'
import { BODY, partOf, REMOVE, type Sent, type SentForm, textOf, wordsIn } from './form-parts.ts'
import { protectedChange, type SettingsRights } from './protected-fields.ts'
import type { Target } from './target.ts'

/** A form that was sent: the text that it showed, and that of the branch which the new text is compared with. */
export type Change = {
  /** The language of the guide. */
  lang: string | undefined
  target: Pick<Target, 'kind' | 'shown'>
  /** The text that the form showed. */
  file: string
  /** The text of the branch. */
  base: string
  sent: Sent
  targets: ReferenceTargets
  rights: SettingsRights
  /** The question about a change of settings to which the person agreed. */
  sure: string | null
  /** The errors that the new text would have in its guide; if absent, those of the text by itself are looked for. */
  found?: readonly Problem[] | undefined
}

/** The new text, the id that a page has in it, and the names of the entries that it changes. */
export type ChangedText = { text: string; id: string; changed: readonly string[] }

/** The new text, or as HTML: the problem of the whole form, those of fields by their names, and a question; each may be empty. */
export type ChangedFile = Result<
  ChangedText,
  { problem: string; problems: ReadonlyMap<string, string>; question: string }
>

/** Puts a form into its file, and checks the new text. */
export function changeOf({ lang, target, file, base, sent, targets, rights, sure, found }: Change): ChangedFile {
  const { kind } = target
  const words = wordsFor(lang)
  const opened = openText(kind, file)
  const form = { kind, opened, sent: withAlias(target, opened, sent) }
  const text = textOfForm(words, form, base, targets, found)
  if (!text.ok) return failed(asHtml(withHead(words, text.problem)))
  const refusal = protectedChange(words, kind, rights, { before: base, after: text.value, sent, sure })
  if (refusal) return failed(asHtml(refusal))
  const isPage = kind === 'page'
  const id = isPage ? textOf(partOf({ name: 'id' }, openText('page', text.value).yaml?.root)) : ''
  return ok({ text: text.value, id, changed: isPage ? [] : changedNames(base, text.value) })
}

/** Problems with a sentence for the head of the page, and perhaps a question (`conflict`). */
type ShownProblems = { problem: Html | Word; problems?: ReadonlyMap<string, Word>; conflict?: Html }

/** The problems of a form with a sentence for the head of the page. */
function withHead({ edit }: Words, { problem, problems = new Map() }: FormProblem): ShownProblems {
  return { problem: problem === undefined ? edit.invalid : html`${edit.nothingSaved} ${problem}`, problems }
}

/** Problems as strings, which cross to the process of the service. */
function asHtml({ problem, problems, conflict }: ShownProblems) {
  return {
    problem: html`${problem}`.text,
    problems: new Map(Array.from(problems ?? [], ([name, each]) => [name, html`${each}`.text])),
    question: html`${conflict}`.text,
  }
}

/** The first names of the entries of a list or of settings that differ. */
function changedNames(before: string, after: string): string[] {
  const entriesBefore = entriesOf(before)
  const entriesAfter = entriesOf(after)
  const names = new Set([...entriesBefore.keys(), ...entriesAfter.keys()])
  return [...names].filter(name => entriesBefore.get(name) !== entriesAfter.get(name)).slice(0, MAX_NAMES)
}

const MAX_NAMES = 20

/** The entries of a list or of settings as JSON, keyed by name. */
function entriesOf(yaml: string): ReadonlyMap<string, string> {
  const list = Object(attempt(() => yamlValue(yaml)))
  const names = Array.isArray(list) ? list.map(entry => `${entry?.name ?? entry?.id}`) : Object.keys(list)
  return new Map(Object.values(list).map((entry, at) => [`${names[at]}`, JSON.stringify(entry)]))
}

/** The problems of a form: those of its fields, by name, and that of the rest. */
type FormProblem = { problem?: Word; problems?: ReadonlyMap<string, Word> }

/**
 * The new text of the file of a form, or its problems: those of single fields, and errors that the text of the branch does
 * not have already. `known` are the errors of the new text if these are known; else they are looked for.
 */
export function textOfForm(
  words: Words,
  form: SentForm,
  base: string,
  targets: ReferenceTargets,
  known?: readonly Problem[],
): Result<string, FormProblem> {
  const { kind, opened, sent } = form
  let applied: AppliedForm | undefined
  const change = (document: Document) => {
    applied = applyForm(words, form, document)
  }
  const text = changedText(kind, opened, change, sent.get(BODY)?.[0])
  if (!text.ok) return failed({ problem: inEnglish(words, text.problem) })
  const newErrors = known ?? addedErrors(kind, base, text.value, targets)
  // The YAML of a page begins on its second line, after `---`.
  const place = { yaml: openText(kind, text.value).yaml?.text ?? '', firstLine: kind === 'page' ? 2 : 1 }
  const errorProblems = problemsAtFields(words, applied, { ...place, found: newErrors })
  const problems = new Map([...errorProblems.problems, ...(applied?.problems ?? [])])
  return problems.size > 0 || errorProblems.problem ? failed({ ...errorProblems, problems }) : ok(text.value)
}

/** The errors of a text that the text of the branch does not have, also not on another line. */
function addedErrors(kind: FileKind, base: string, text: string, targets: ReferenceTargets): readonly Problem[] {
  if (text === base) return []
  const earlierPlaces = new Set(errorsIn(kind, base, targets).map(placeIn(base)))
  return errorsIn(kind, text, targets).filter(error => !earlierPlaces.has(placeIn(text)(error)))
}

/** Describes a problem by the rule that it breaks and the text of its line, which stay the same if the line moves. */
function placeIn(text: string): (problem: Problem) => string {
  const lines = text.split('\n')
  return ({ rule, line }) => `${rule} ${lines[(line ?? 0) - 1]}`
}

/** The texts that were sent; if they change the id of a page, its old id is added to the aliases, so that links keep working. */
function withAlias({ kind, shown }: Change['target'], { yaml }: EditedText, sent: Sent): Sent {
  // `shown` is the path of the page: `/logo/misuse`.
  const currentId = shown.slice(1)
  const writtenId = textOf(partOf({ name: 'id' }, yaml?.root))
  // An id that is removed or emptied follows from the path of the file.
  const isRemoved = sent.get(REMOVE)?.includes('/id')
  const [id = writtenId] = isRemoved ? [''] : (sent.get('/id') ?? [])
  if (kind !== 'page' || currentId === '' || [currentId, writtenId].includes(id.trim())) return sent
  const aliasesBefore = sent.get('/aliases') ?? wordsIn(partOf({ name: 'aliases' }, yaml?.root)) ?? []
  const aliases = new Set([...aliasesBefore.flatMap(text => text.split('\n')), currentId])
  return new Map([...sent, ['/aliases', [[...aliases].join('\n')]]])
}
