import { keysOf } from '#brand/fields.ts'
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

/**
 * The protected keys that a new text of the `project.yaml` of a project changes, as an import reads them: a guide without
 * the file has the defaults, and so has a value with an error. The id is that of the project, which a guide without one has
 * from its folder. A file that is removed changes no id.
 */
export function changedSettings(
  project: string,
  before: string | undefined,
  after: string | undefined,
): ProtectedKey[] {
  const [old, changed] = [projectIn(before), projectIn(after)]
  const differs = (value: (project: ProjectFile) => unknown) =>
    JSON.stringify(value(old)) !== JSON.stringify(value(changed))
  const keys: ProtectedKey[] = keysOf(PROTECTED).filter(key => differs(PROTECTED[key]))
  const ids = old.id === undefined ? [undefined, project] : [project]
  return after === undefined || ids.includes(changed.id) ? keys : ['id', ...keys]
}

function projectIn(text = ''): ProjectFile {
  return readProjectFile(text).project
}
