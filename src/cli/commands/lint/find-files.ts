import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { join as joinPosix } from 'node:path/posix'
import { compareStrings } from '#base/text.ts'
import { codeOf } from '#intake/folder/unreadable.ts'
import { kindOf, type LintKind } from '#lint/file-kind.ts'
import type { Io } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { visible } from '../../output/text.ts'

export type FoundFile = {
  /** Its path as the user named it, with `/`. */
  shown: string
  path: string
  /** The real path of the given folder, or of the folder of the given file: style sheets are only read below it. */
  root: string
  /** Undefined if the file is only compared with old files. */
  kind: LintKind | undefined
}

/** Lists the files that the operands name, each once. Links, `.git` and `node_modules` in folders are left out. */
export async function findFiles(operands: readonly string[], io: Pick<Io, 'folder' | 'signal'>): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  const add = (shown: string, path: string, root: string) => {
    if (!found.has(path)) found.set(path, { shown, path, root, kind: kindOf(path) })
  }
  for (const operand of operands) {
    const path = await realpath(resolve(io.folder, operand)).catch(error => missing(operand, error))
    const shown = joinPosix(operand.replaceAll(sep, '/'))
    if (!(await stat(path)).isDirectory()) add(shown, path, dirname(path))
    else for await (const each of walk(path, io.signal)) add(joinPosix(shown, pathIn(path, each)), each, path)
  }
  return [...found.values()]
}

/** A sheet at a path below the root of another file. */
export function sheetNextTo({ shown, root, path }: FoundFile, sheet: string): FoundFile {
  const own = join(root, sheet)
  return {
    shown: joinPosix(shown, '..', pathIn(dirname(path), own)),
    path: own,
    root,
    kind: kindOf(own) ?? 'css',
  }
}

/** Whether a path leads through a folder that is left out. */
export function isSkipped(path: string): boolean {
  return path.split('/').some(name => SKIPPED.has(name))
}

/** The path of a file in a folder, with `/`. */
export function pathIn(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/')
}

function missing(operand: string, error: unknown): never {
  const why = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? 'it does not exist' : codeOf(error)
  throw new CommandFailure('usage', `cannot read ${visible(operand)}: ${why}; name a file or a folder`)
}

/** The regular files below a folder by name. Folders that cannot be listed are kept, so that they are reported. */
async function* walk(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  const folders = [folder]
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    signal.throwIfAborted()
    const entries = await readdir(at, { withFileTypes: true }).catch(() => undefined)
    if (!entries) yield at
    const sorted = entries?.toSorted((a, b) => compareStrings(a.name, b.name)) ?? []
    for (const entry of sorted) if (entry.isFile()) yield join(at, entry.name)
    for (const entry of sorted.reverse())
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(join(at, entry.name))
  }
}

const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules'])
