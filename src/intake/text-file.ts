import { join } from 'node:path'
import { type Findings, remark } from './findings.ts'
import { NotPlainFile, openFile, readStart } from './open-file.ts'
import { readUtf8 } from './utf8.ts'
import { codeOf, unreadable } from './walk.ts'

/** The largest styles file, and the largest of the other YAML files, in bytes. */
const LARGEST_YAML = 4 << 20
/** The largest page, in bytes. */
export const LARGEST_PAGE = 1 << 20

/**
 * Reads a text file of a brand folder. Undefined where there is none, and, with a finding, where it is no plain file, too
 * large, not UTF-8 or cannot be read. Symbolic links are never followed.
 */
export function readTextFile(
  root: string,
  path: string,
  project: string | null,
  findings: Findings,
  largest: number = LARGEST_YAML,
): string | undefined {
  const bytes = readBytes(join(root, path), largest)
  if (bytes === undefined) return undefined
  if (!(bytes instanceof Uint8Array)) {
    findings.add(project, path, bytes)
    return undefined
  }
  const decoded = readUtf8(bytes)
  if ('text' in decoded) return decoded.text
  findings.add(project, path, decoded.remark)
  return undefined
}

function readBytes(path: string, largest: number): Uint8Array | ReturnType<typeof remark> | undefined {
  try {
    using file = openFile(path)
    if (file.size <= largest) return readStart(file, largest)
    return remark('too-large', `has ${file.size} bytes, and a file of this kind may have ${largest}: split it`)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (codeOf(error) === 'ELOOP')
      return remark('not-followed', 'is a symbolic link and is left out: put the file itself in its place')
    if (codeOf(error) === 'ENXIO' || error instanceof NotPlainFile) return remark('not-followed', NOT_PLAIN)
    return remark('unreadable', unreadable(error))
  }
}

const NOT_PLAIN = 'is not a plain file and is left out: put the file itself in its place'
