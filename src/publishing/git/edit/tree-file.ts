import { foldersAbove } from '#brand/portable-paths.ts'
import { readAll } from '#platform/base/bytes.ts'
import { failed } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { StoppedGit, streamGit } from '../program/run-git.ts'
import { mirrorProblem } from '../repository/mirror.ts'
import { isUnsafeName } from '../repository/tree.ts'
import { type EditClone, type Head, inClone, orStop } from './clone.ts'

/**
 * A step that finds a file of the head; undefined if there is none. Stops at a path that must not be edited: a link, a
 * submodule, below one of these, or of git itself.
 */
export async function findFile(edited: EditClone, head: Head, path: string) {
  if (!isEditable(path)) throw refusal(path, 'it is not a file of a guide')
  const above = foldersAbove(path)
  // Lists the entries of the folders above. Such a path is itself an entry only if it is not a folder.
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', head.hash, ...above, path]
  const listed = await inClone(edited, head.clone, args, { maxBytes: MAX_LIST_BYTES })
  const entries = [...listed.matchAll(ENTRY)].map(([, mode = '', id = '', name = '']) => ({ mode, id, name }))
  const noFolder = entries.find(({ name }) => above.includes(name))
  if (noFolder) throw refusal(path, `${noFolder.name} is not a folder`)
  const file = entries.find(({ name }) => name === path)
  if (!file) return undefined
  // Modes of git: 100644 and 100755 are files, 120000 a link, 160000 a submodule.
  if (!file.mode.startsWith('100')) throw refusal(path, 'it is a folder, a link or a submodule')
  const read = async (maxBytes = MAX_FILE_BYTES): Promise<Uint8Array> => {
    const bytes = await streamGit(head.clone, ['cat-file', 'blob', file.id], {}, ({ input, output }) => {
      input.end()
      return readAll(output, maxBytes, () => refusal(path, `it is larger than ${maxBytes >> 20} MiB`))
    })
    return orStop(bytes.ok ? bytes : failed(mirrorProblem(edited.source.url, bytes.problem)))
  }
  return { ...file, read }
}

const MAX_LIST_BYTES = 32 << 20
/** `100644 blob 45b983…<tab>pages/index.md`, after the start or a NUL character. */
const ENTRY = /(?<![^\0])(\d{6}) \w+ ([0-9a-f]+)\t([^\0]*)\0/g

/** Hosts refuse files above 100 MB, and warn from 50. */
export const MAX_FILE_BYTES = 50 << 20

/** Whether a path can be that of a file of a guide, not of git. */
export function isEditable(path: string): boolean {
  return !path.split('/').some(name => isUnsafeName(name) || name.toLowerCase().startsWith('.git'))
}

/** Stops a change of a file. */
export function refusal(path: string, why: string): StoppedGit {
  return new StoppedGit({ code: 'edit_refused', message: `cannot change ${quote(path)}: ${why}; change it with git` })
}
