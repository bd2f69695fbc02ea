import { randomUUID } from 'node:crypto'
import { chmod, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failed, ok, type Result } from '../../../base/result.ts'
import { openFile, readStart } from '../../../intake/folder/open-file.ts'

/**
 * Replaces a file that still has the bytes `before`, keeping its mode. The problem is a sentence.
 *
 * @throws {Unreadable} if the file can no longer be read
 * @throws system errors of writing
 */
export async function replaceFile(path: string, bytes: Uint8Array, before: Uint8Array): Promise<Result<null, string>> {
  const real = await realpath(path)
  if (real !== path) return failed(`cannot write ${path}: its path has a link; name ${real}`)
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}`)
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
    // Last, so that another program has little time to change the file.
    using file = openFile(path)
    const { mode } = file.stat
    if ((mode & 0o222) === 0) return failed(`cannot write ${path}: it is read-only; allow writing, and try again`)
    if (!readStart(file, before.length + 1).equals(before))
      return failed(`cannot write ${path}: it was changed; try again`)
    // Without setuid and setgid: the new file may belong to someone else.
    await chmod(temporary, mode & 0o777)
    await rename(temporary, path)
    return ok(null)
  } finally {
    await rm(temporary, { force: true })
  }
}
