import { basename, dirname, join } from 'node:path'
import type { Problem } from '#brand/finding.ts'
import { type Failed, failed, ok, type Result } from '#platform/base/result.ts'
import { currentFingerprintOf, identityOf } from './file-version.ts'
import { type Findings, problem } from './findings.ts'
import { type OpenFile, openFile, proveUnchanged, readStart } from './open-file.ts'
import { openFolder } from './open-folder.ts'
import { CHANGED, NOT_A_FILE, Unreadable, unreadableProblem } from './unreadable.ts'
import { readUtf8 } from './utf8.ts'
import { notFollowed, type WalkedFile } from './walk.ts'

/**
 * Reads a YAML file of a brand folder. Undefined if it does not exist. Undefined with a finding if it is not a regular
 * file, is too large, is not UTF-8 or cannot be read. Never follows symbolic links.
 *
 * @param isListed whether the file was among the entries of its folder
 */
export function readTextFile(
  root: string,
  path: string,
  project: string | null,
  findings: Findings,
  isListed: boolean,
): string | undefined {
  const read = readThroughFolder(join(root, path), path, isListed)
  return read && checkUtf8(read, path, project, findings)
}

/** The text of a file. `isUnchanged`: the file has not changed since the walk. */
export type ReadText = { text: string; isUnchanged: boolean }

/** Reads a page of a brand folder. Undefined, with a finding, if it cannot be read. */
export function readPageFile(
  root: string,
  { path, identity, fingerprint }: WalkedFile,
  project: string,
  findings: Findings,
): ReadText | undefined {
  let isUnchanged = false
  const read = tryReading(path, () => {
    using file = openFile(join(root, path))
    if (identityOf(file.stat) !== identity) throw new Unreadable(CHANGED)
    isUnchanged = currentFingerprintOf(file.stat) === fingerprint
    return bytesOf(file, MAX_PAGE)
  })
  const text = checkUtf8(read, path, project, findings)
  return text === undefined ? undefined : { text, isUnchanged }
}

function checkUtf8(
  read: Result<Uint8Array, Problem>,
  path: string,
  project: string | null,
  findings: Findings,
): string | undefined {
  const text = read.ok ? readUtf8(read.value) : read
  if (text.ok) return text.value
  findings.add(project, path, text.problem)
  return undefined
}

/**
 * Reads a YAML file. Undefined if it does not exist. A listed file that can no longer be opened was removed or replaced
 * meanwhile, which is an `Unreadable`. Opens the folder first, so that `ENOENT` means a missing file, not a missing folder.
 */
function readThroughFolder(absolute: string, path: string, isListed: boolean): Result<Uint8Array, Problem> | undefined {
  return tryReading(path, () => {
    using folder = openFolder(dirname(absolute))
    try {
      using file = openFile(absolute, `${folder.place}/${basename(absolute)}`)
      return bytesOf(file, MAX_YAML)
    } catch (error) {
      if (!(error instanceof Unreadable) || isListed) throw error
      if (error.code === 'ENOENT') return undefined
      if (error.code === 'ELOOP') return failed(notFollowed('a symbolic link')) // Because of O_NOFOLLOW.
      if (error.code === 'ENXIO' || error.code === NOT_A_FILE) return failed(notFollowed('not a plain file'))
      throw error
    }
  })
}

function tryReading<Read>(path: string, read: () => Read): Read | Failed<Problem> {
  try {
    return read()
  } catch (error) {
    return failed(unreadableProblem(error, path))
  }
}

/* In bytes. */
const MAX_YAML = 4 << 20
const MAX_PAGE = 1 << 20

function bytesOf(file: OpenFile, maxBytes: number): Result<Uint8Array, Problem> {
  const message = `has ${file.size} bytes, more than the limit of ${maxBytes}: split it`
  if (file.size > maxBytes) return failed(problem('too-large', message))
  const bytes = readStart(file, maxBytes)
  proveUnchanged(file)
  return ok(bytes)
}
