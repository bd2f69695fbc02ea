import { basename } from 'node:path/posix'
import { keysOf } from '#brand/fields.ts'
import { slug } from '#brand/ids.ts'
import { type ProjectFile, readProjectFile } from './project-file.ts'

/**
 * The keys of `project.yaml` that decide who reads a guide and who must approve it, with the value of each. A translation
 * shows the files and styles of its original, which may have other readers.
 */
const PROTECTED = {
  visibility: ({ visibility = 'private' }) => visibility,
  revisions: ({ revisions = 'private' }) => revisions,
  publishing: ({ reviewers = 0 }) => reviewers,
  translationOf: ({ translationOf }) => translationOf?.text,
} satisfies Record<string, (project: ProjectFile) => unknown>

/** Keys that only people who manage a guide may change, and `id`, which nobody changes in the browser. */
export type ProtectedKey = keyof typeof PROTECTED | 'id'

/** A project, and the id that its folder gives it without an id of its own. */
export type SettingsOwner = { project: string; folderId: string }

/** The owner of the settings in a folder of a brand folder; the brand folder itself is named after its only project. */
export function settingsOwner(project: string, folder: string): SettingsOwner {
  return { project, folderId: folder === '' ? project : slug(basename(folder)) }
}

/**
 * The protected keys that a new text of the `project.yaml` of a project changes, as an import reads them: a guide without
 * the file has the defaults, and so has a value with an error. A file that is removed changes no id.
 */
export function changedSettings(
  { project, folderId }: SettingsOwner,
  before: string | undefined,
  after: string | undefined,
): ProtectedKey[] {
  const projectBefore = projectIn(before)
  const projectAfter = projectIn(after)
  const differs = (value: (project: ProjectFile) => unknown) =>
    JSON.stringify(value(projectBefore)) !== JSON.stringify(value(projectAfter))
  const keys: ProtectedKey[] = keysOf(PROTECTED).filter(key => differs(PROTECTED[key]))
  return after === undefined || idIn(after, { project, folderId }) === project ? keys : ['id', ...keys]
}

/** The id that settings give a project. The id of settings that are no YAML is unknown. */
function idIn(text: string, { project, folderId }: SettingsOwner): string {
  const { project: file, problems } = readProjectFile(text)
  const isUnknown = problems.some(({ rule }) => rule === 'yaml-syntax')
  return isUnknown ? project : (file.id ?? folderId)
}

function projectIn(text = ''): ProjectFile {
  return readProjectFile(text).project
}
