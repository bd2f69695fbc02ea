import { groupsOf } from '#platform/base/text.ts'

/** The form of pointers (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\noid sha256:([0-9a-f]{64})\r?\nsize (\d{1,15})\s*$/
export const MAX_POINTER_BYTES = 1023

/** Whether text begins as a pointer of Git LFS does. */
export function isLfsPointer(text: string): boolean {
  return text.startsWith('version https://git-lfs.github.com/spec/')
}

/** The SHA-256 and the bytes of the file that a pointer names; undefined if it is damaged, or an extension made it. */
export function parseLfsPointer(text: string): { oid: string; size: number } | undefined {
  const [, oid, size] = groupsOf(POINTER, text)
  return oid === undefined ? undefined : { oid, size: Number(size) }
}
