import { keysOf } from '#brand/fields.ts'
import { type ProjectFile, readProjectFile } from './project-file.ts'

/** The keys of `project.yaml` that decide who reads a guide and who must approve it, with the value of each. */
const PROTECTED = {
  visibility: ({ visibility = 'private' }) => visibility,
  revisions: ({ revisions = 'private' }) => revisions,
  publishing: ({ reviewers = 0 }) => reviewers,
} satisfies Record<string, (project: ProjectFile) => unknown>

/** Keys that only people who manage a guide may change, and `id`, which nobody changes in the browser. */
export type ProtectedKey = keyof typeof PROTECTED | 'id'

/**
 * The protected keys that a new text of `project.yaml` changes, as an import reads them: a guide without the file has
 * the defaults, and so has a value with an error. A file that is new or removed changes no id.
 */
export function changedSettings(before: string | undefined, after: string | undefined): ProtectedKey[] {
  const [old, changed] = [projectIn(before), projectIn(after)]
  const differs = (value: (project: ProjectFile) => unknown) =>
    JSON.stringify(value(old)) !== JSON.stringify(value(changed))
  const keys: ProtectedKey[] = keysOf(PROTECTED).filter(key => differs(PROTECTED[key]))
  const isSameFile = before !== undefined && after !== undefined
  return isSameFile && differs(({ id }) => id) ? ['id', ...keys] : keys
}

function projectIn(text = ''): ProjectFile {
  return readProjectFile(text).project
}
