import { keysOf } from '#brand/fields.ts'
import { type ProjectFile, readProjectFile } from '#intake/project/project-file.ts'
import { changedSettings, type ProtectedKey } from '#intake/project/protected-settings.ts'
import { PUBLISHING_KEYS } from '#intake/schema/project.ts'
import { manages } from '#serving/access/session/exercised-rights.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import type { Visit } from './context.ts'
import type { Target } from './target.ts'

/** A field that is shown and cannot be changed: its setting, the reason, and what is shown if it has no value. */
export type Locked = { key: ProtectedKey; why: Word; usual: string }

const FIELDS: Readonly<Record<ProtectedKey, readonly string[]>> = {
  id: ['/id'],
  visibility: ['/visibility'],
  revisions: ['/revisions'],
  publishing: keysOf(PUBLISHING_KEYS).map(key => `/publishing/${key}`),
}

/** The fields by name that the person cannot change: the id of the guide, and without the right to manage those that decide who reads it. */
export function lockedFields(visit: Visit, { kind }: Target): ReadonlyMap<string, Locked> {
  const { record, words } = visit
  const id = { key: 'id', why: words.edit.idStays, usual: record.project } as const
  const others = (['visibility', 'revisions', 'publishing'] as const).map(key => ({
    key,
    why: words.edit.managersOnly,
    usual: '–',
  }))
  const settings: Locked[] = mayManage(visit) ? [id] : [id, ...others]
  const locked = kind === 'project' ? settings : []
  return new Map(locked.flatMap(setting => FIELDS[setting.key].map(name => [name, setting])))
}

/** Whether the person may change who reads a guide. In `dev`, everybody may. */
function mayManage({ context, person, record }: Visit): boolean {
  return context.isForAll || (person !== undefined && manages(person, record))
}

/** Whether a change of settings asks first: one that opens the guide to everyone, or replaces rules about reviews. */
const ASKING = {
  visibility: (_: ProjectFile, { visibility }: ProjectFile) => visibility === 'public',
  publishing: ({ reviewers }: ProjectFile) => reviewers !== undefined,
} as const

/**
 * The part of a form that keeps a change of settings from being saved: problems at fields that the person cannot change, or
 * questions, until `sure` names them all. Undefined for any other change.
 */
export function protectedChange(
  visit: Visit,
  target: Target,
  [before, after]: readonly [string, string],
  sure: string | null,
): { problem: Word; problems?: ReadonlyMap<string, Word>; conflict?: Html } | undefined {
  const { edit } = visit.words
  const changed = target.kind === 'project' ? changedSettings(before, after) : []
  const locked = [...lockedFields(visit, target)].filter(([, { key }]) => changed.includes(key))
  const [first] = locked
  if (first) return { problem: first[1].why, problems: new Map(locked.map(([name, { why }]) => [name, why])) }
  const [old, own] = [readProjectFile(before).project, readProjectFile(after).project]
  const asking = keysOf(ASKING).filter(key => changed.includes(key) && ASKING[key](old, own))
  const isAgreed = asking.length === 0 || sure === asking.join(' ')
  return isAgreed ? undefined : { problem: edit.askFirst, conflict: questionHtml(visit.words, asking) }
}

/** The questions about settings that change, and a box in the form of the page for the answer. */
export function questionHtml({ edit }: Words, keys: readonly (keyof typeof ASKING)[]): Html {
  const asked = { visibility: edit.everyoneReads, publishing: edit.otherReviews }
  return html`<div class="result warned">${keys.map(key => html`<p>${asked[key]}</p>\n`)}
<p><label><input type="checkbox" name="sure" value="${keys.join(' ')}" form="edit"> ${edit.agreed}</label></p></div>
`
}
