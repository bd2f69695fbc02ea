import { keysOf } from '#brand/fields.ts'
import { type ProjectFile, readProjectFile } from '#intake/project/project-file.ts'
import { changedSettings, type ProtectedKey, type SettingsOwner } from '#intake/project/protected-settings.ts'
import { PUBLISHING_KEYS } from '#intake/schema/project.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import type { FileKind } from '../source/edited-text.ts'
import type { Sent } from './form-parts.ts'

/** The guide whose files a person edits, and whether they may change who reads it. */
export type SettingsRights = SettingsOwner & { mayManage: boolean }

/** A field that is shown and cannot be changed: the reason, and what is shown if it has no value. */
export type Locked = { why: Word; usual: string }

/** The names of the fields that a protected key of the settings has. */
const FIELDS: Readonly<Record<ProtectedKey, readonly string[]>> = {
  id: ['/id'],
  visibility: ['/visibility'],
  revisions: ['/revisions'],
  publishing: keysOf(PUBLISHING_KEYS).map(key => `/publishing/${key}`),
  translationOf: ['/translationOf'],
}
/** The key of an entry, to which pages and settings may refer by its path. */
const PATH_OF_ENTRY = /^\/\w+\/\d+\/path$/

/**
 * Why a field cannot be changed; undefined if it can. No one changes the id of a guide or the path of an entry here, and only
 * those who manage the guide change the settings that decide who reads it.
 */
export function lockOf(
  words: Words,
  kind: FileKind,
  { project, mayManage }: SettingsRights,
  name: string,
): Locked | undefined {
  if (kind === 'files') return PATH_OF_ENTRY.test(name) ? { why: words.edit.pathStays, usual: '' } : undefined
  if (kind !== 'project') return undefined
  if (FIELDS.id.includes(name)) return { why: words.edit.idStays, usual: project }
  const isOpen = mayManage || !Object.values(FIELDS).flat().includes(name)
  return isOpen ? undefined : { why: words.edit.managersOnly, usual: '–' }
}

/**
 * Whether a change of settings, from the first to the second, asks first: one that opens the guide to everyone, or replaces
 * rules about reviews.
 */
const ASKING = {
  visibility: (_: ProjectFile, { visibility }: ProjectFile) => visibility === 'public',
  publishing: ({ reviewers }: ProjectFile) => reviewers !== undefined,
} as const

/**
 * What keeps a change from being saved: problems at fields that the person cannot change, or questions (`conflict`) until the
 * person agrees. The field `sure` then has the keys of all questions, such as `visibility publishing`. Undefined for any
 * other change.
 */
export function protectedChange(
  words: Words,
  kind: FileKind,
  rights: SettingsRights,
  { before, after, sent, sure }: { before: string; after: string; sent: Sent; sure: string | null },
): { problem: Word; problems?: ReadonlyMap<string, Word>; conflict?: Html } | undefined {
  const { edit } = words
  const changed = kind === 'project' ? changedSettings(rights, before, after) : []
  const names = [...changed.flatMap(key => FIELDS[key]), ...[...sent.keys()].filter(name => PATH_OF_ENTRY.test(name))]
  const problems = new Map<string, Word>()
  for (const name of names) {
    const lock = lockOf(words, kind, rights, name)
    if (lock) problems.set(name, lock.why)
  }
  const [problem] = problems.values()
  if (problem !== undefined) return { problem, problems }
  const projectBefore = readProjectFile(before).project
  const projectAfter = readProjectFile(after).project
  const askingKeys = keysOf(ASKING).filter(key => changed.includes(key) && ASKING[key](projectBefore, projectAfter))
  const isAgreed = askingKeys.length === 0 || sure === askingKeys.join(' ')
  return isAgreed ? undefined : { problem: edit.askFirst, conflict: questionHtml(words, askingKeys) }
}

/** The questions about settings that change, and a box in the form of the page for the answer. */
export function questionHtml({ edit }: Words, keys: readonly (keyof typeof ASKING)[]): Html {
  const questions = { visibility: edit.everyoneReads, publishing: edit.otherReviews }
  return html`<div class="result warned">${keys.map(key => html`<p>${questions[key]}</p>\n`)}
<p><label><input type="checkbox" name="sure" value="${keys.join(' ')}" form="edit"> ${edit.agreed}</label></p></div>
`
}
