import { decodeText, encodeLike } from '#platform/base/bytes.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { mergedText, passagesOf } from './merge.ts'

/** A file as the person opened it (`any`: however it is now), and as it shall be; undefined: it does not exist. */
export type FileChange = { path: string; before: Content | 'any' | undefined; after: Content | undefined }

/** Bytes, or the name of a file that has them and stays until the save ends: its absolute path, or its hash in a clone. */
export type Content = Uint8Array | { file: string }

/** A file in which another person changed the same places: as it is now. */
export type Conflict = { path: string; theirs: Uint8Array | undefined }

/** A file as it is now, with its mode in git. */
type Version = { id: string; mode?: string; read: () => Promise<Uint8Array> }

/** New content with its id in the place of a file; undefined: it is removed. */
export type MergedFile = { path: string; content?: Content; id?: string; current?: Version }

/** A file as the person opened it and changed it, and as it is now. */
export type FileChangeTexts = { before: Uint8Array; after: Uint8Array; current: Uint8Array }

/** Merges the changes of two people; undefined if they exclude each other. A text may take long, so a child process does it. */
export type MergeTexts = (texts: FileChangeTexts) => Promise<Uint8Array | undefined>

/**
 * The files to write for the changes of a person, with those of others, and the files in which these exclude each other.
 * Only bytes are merged. The same bytes have the same id.
 */
export async function mergeFiles(
  changes: readonly FileChange[],
  find: (path: string) => Promise<Version | undefined>,
  idOf: (content: Content) => Promise<string>,
  merge: MergeTexts,
) {
  const files: MergedFile[] = []
  const conflicts: Conflict[] = []
  const optionalId = async (content: Content | undefined) => content && idOf(content)
  for (const { path, before, after } of changes) {
    const current = await find(path)
    const currentId = current?.id
    // A form cannot tell an empty file from none.
    const opened = before ?? (current && new Uint8Array())
    const isAsOpened = opened === 'any' || (await optionalId(opened)) === currentId
    // Nobody else has changed the file, or to the same content.
    const takesMine = isAsOpened || (await optionalId(after)) === currentId
    const theirs = takesMine ? undefined : await current?.read()
    const canMerge = theirs && before instanceof Uint8Array && after instanceof Uint8Array
    const content = canMerge ? await merge({ before, after, current: theirs }) : takesMine ? after : undefined
    const id = await optionalId(content)
    if (!takesMine && !content) conflicts.push({ path, theirs })
    else if (id !== currentId) files.push(withoutUndefined({ path, content, id, current }))
  }
  return { files: conflicts.length > 0 ? [] : files, conflicts }
}

/** The current bytes with the changes of a person; undefined if somebody else changed the same places, or for other bytes. */
export function mergeTexts({ before, after, current }: FileChangeTexts): Uint8Array | undefined {
  const [base, mine, theirs] = [before, after, current].map(decodeText)
  if (base === undefined || mine === undefined || theirs === undefined) return undefined
  const merged = passagesOf(base, mine, theirs).map(mergedText)
  return merged.includes(undefined) ? undefined : encodeLike(current, merged.join(''))
}
