import { basename, dirname, join } from 'node:path'
import type { Problem } from '../../brand/finding.ts'
import { stateOf } from '../cache/read-cache.ts'
import { type Findings, problem } from './findings.ts'
import { identityOf, type OpenFile, openFile, proveUnchanged, readStart } from './open-file.ts'
import { openFolder } from './open-folder.ts'
import { CHANGED, NOT_A_FILE, Unreadable, unreadableRemark } from './unreadable.ts'
import { readUtf8 } from './utf8.ts'
import type { WalkedFile } from './walk.ts'

/** The largest styles file, and the largest of the other YAML files, in bytes. */
const MAX_YAML = 4 << 20
/** The largest page, in bytes. */
const MAX_PAGE = 1 << 20

/**
 * Reads a YAML file of a brand folder. Undefined where there is none, and, with a finding, where it is no plain file, too
 * large, not UTF-8 or cannot be read. Symbolic links are never followed.
 *
 * @param isListed whether a file of this name was there a moment ago
 */
export function readTextFile(
  root: string,
  path: string,
  project: string | null,
  findings: Findings,
  isListed: boolean,
): string | undefined {
  const read = readThrough(join(root, path), path, isListed)
  return read && textOf(read, path, project, findings)
}

/** A text file as it was found and read; `isAsFound`: as it was when it was found, and not written to since. */
export type ReadText = { text: string; isAsFound: boolean }

/** Reads a page that was found in a brand folder. Undefined, with a finding, where it cannot be read. */
export function readPageFile(
  root: string,
  { path, identity, stamp }: WalkedFile,
  project: string,
  findings: Findings,
): ReadText | undefined {
  let isAsFound = false
  const read = remarkOr(path, () => {
    using file = openFile(join(root, path))
    if (identityOf(file.stat) !== identity) throw new Unreadable(CHANGED)
    isAsFound = stateOf(file.stat) === stamp
    return bytesOf(file, MAX_PAGE)
  })
  const text = textOf(read, path, project, findings)
  return text === undefined ? undefined : { text, isAsFound }
}

function textOf(
  read: Uint8Array | Problem,
  path: string,
  project: string | null,
  findings: Findings,
): string | undefined {
  const decoded = read instanceof Uint8Array ? readUtf8(read) : { problem: read }
  if ('text' in decoded) return decoded.text
  findings.add(project, path, decoded.problem)
  return undefined
}

/** Whether there is such a file is asked of the folder that it would stand in. */
function readThrough(absolute: string, path: string, isListed: boolean): Uint8Array | Problem | undefined {
  return remarkOr(path, () => {
    using folder = openFolder(dirname(absolute))
    try {
      using file = openFile(absolute, `${folder.place}/${basename(absolute)}`)
      return bytesOf(file, MAX_YAML)
    } catch (error) {
      if (!(error instanceof Unreadable) || isListed) throw error
      if (error.code === 'ENOENT') return undefined
      if (error.code === 'ELOOP') return problem('not-followed', notFollowed('a symbolic link'))
      if (error.code === 'ENXIO' || error.code === NOT_A_FILE)
        return problem('not-followed', notFollowed('not a plain file'))
      throw error
    }
  })
}

function remarkOr<Value>(path: string, read: () => Value): Value | Problem {
  try {
    return read()
  } catch (error) {
    return unreadableRemark(error, path)
  }
}

function bytesOf(file: OpenFile, largest: number): Uint8Array | Problem {
  const message = `has ${file.size} bytes, and a file of this kind may have ${largest}: split it`
  if (file.size > largest) return problem('too-large', message)
  const bytes = readStart(file, largest)
  proveUnchanged(file)
  return bytes
}

function notFollowed(kind: string): string {
  return `is ${kind} and is left out: put the file itself in its place`
}
