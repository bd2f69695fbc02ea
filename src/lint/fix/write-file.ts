import { randomUUID } from 'node:crypto'
import { chmod, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failed, ok, type Result } from '../../base/result.ts'

/** Replaces a file that still has the bytes `before`, keeping its mode. The problem is a sentence; system errors throw. */
export async function writeWhole(path: string, bytes: Uint8Array, before: Uint8Array): Promise<Result<null, string>> {
  const stats = await lstat(path)
  if (!stats.isFile()) return failed(`cannot write ${path}: it is a link or not a file; name the file itself`)
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}`)
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
    // Without setuid and setgid: the new file may belong to someone else.
    await chmod(temporary, stats.mode & 0o777)
    // Last, so that another program has little time to change the file.
    if (!(await readFile(path)).equals(before)) return failed(`cannot write ${path}: it was changed; try again`)
    await rename(temporary, path)
    return ok(null)
  } finally {
    await rm(temporary, { force: true })
  }
}
