import { closeSync, mkdirSync, openSync, symlinkSync, writeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { Readable as ReadableStream } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import type { GitProblem } from '../program/git-problem.ts'
import { type GitRunner, StoppedGit, streamGit } from '../program/run-git.ts'
import { mirrorProblem } from './mirror.ts'
import type { TreeEntry } from './tree.ts'

/**
 * Writes checked entries into a new folder, with exactly the bytes that the commit has: no attribute, filter or hook of
 * a repository applies, because git itself writes nothing there. A symbolic link gets another target, which does not
 * exist, so that an import reports it.
 */
export async function checkOut(
  mirror: GitRunner,
  url: string,
  folder: string,
  entries: readonly TreeEntry[],
): Promise<Result<undefined, GitProblem>> {
  const files = entries.filter(({ isLink }) => !isLink)
  mkdirSync(folder, { mode: 0o700 })
  const makeFolders = folderMaker(folder)
  const args = ['cat-file', '--batch', '--buffer']
  const outcome = await streamGit(mirror, args, { maxMs: MAX_CHECKOUT_MS }, async ({ input, output }) => {
    const asking = pipeline(ReadableStream.from(files.map(({ hash }) => `${hash}\n`)), input)
    asking.catch(() => undefined) // The command has ended, which the loop notices.
    const objects = openObjects(output)
    for (const file of files) {
      const path = makeFolders(file.path)
      await writeObject(objects, file, path)
    }
    await asking
    await objects.end()
  })
  for (const { path } of entries.filter(({ isLink }) => isLink)) symlinkSync(NOWHERE, makeFolders(path))
  return outcome.ok ? ok(undefined) : failed(mirrorProblem(url, outcome.problem))
}

const MAX_CHECKOUT_MS = 30 * 60_000
const NOWHERE = '.not-followed'

/** Makes the folders of a path, each once. Returns the whole path. */
function folderMaker(root: string): (path: Buffer) => Buffer {
  const made = new Set<string>()
  const start = Buffer.from(`${root}/`)
  return path => {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const folder = path.subarray(0, end)
      const key = folder.toString('latin1')
      if (!made.has(key)) mkdirSync(Buffer.concat([start, folder]), { mode: 0o700 })
      made.add(key)
    }
    return Buffer.concat([start, path])
  }
}

/** Reads the output of `git cat-file --batch` in pieces. */
type Objects = {
  line: () => Promise<string>
  /** Passes on this many bytes. */
  bytes: (length: number, take: (piece: Buffer) => void) => Promise<void>
  /** Waits for the end, before which nothing may follow. */
  end: () => Promise<void>
}

function openObjects(output: Readable): Objects {
  const chunks = output[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { done, value } = await chunks.next()
    if (done) throw new Error('git ended before it had written every file')
    return Buffer.from(value)
  }
  return {
    line: async () => {
      let end = rest.indexOf('\n')
      for (; end === -1; end = rest.indexOf('\n')) rest = Buffer.concat([rest, await more()])
      const line = rest.subarray(0, end).toString()
      rest = rest.subarray(end + 1)
      return line
    },
    bytes: async (length, take) => {
      for (let left = length; left > 0; ) {
        if (rest.length === 0) rest = await more()
        const piece = rest.subarray(0, left)
        take(piece)
        left -= piece.length
        rest = rest.subarray(piece.length)
      }
    },
    end: async () => {
      const { done } = await chunks.next()
      if (!done || rest.length > 0) throw new Error('git wrote more than the files')
    },
  }
}

async function writeObject(objects: Objects, { hash, size, path }: TreeEntry, place: Buffer): Promise<void> {
  const header = await objects.line()
  if (header !== `${hash} blob ${size}`) throw new Error(`git describes an object as ${quote(header)}`)
  const file = openSync(place, 'wx', 0o600)
  try {
    let isStart = true
    await objects.bytes(size, piece => {
      if (isStart && size <= MAX_POINTER && LFS_POINTER.test(piece.toString('latin1'))) throw inLfs(path)
      isStart = false
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
    })
  } finally {
    closeSync(file)
  }
  await objects.line()
}

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md: a pointer file has less than 1024 bytes. */
const MAX_POINTER = 1024
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//

/** Publishing pointers instead of logos and fonts would break every guide that uses them. */
function inLfs(path: Buffer): StoppedGit {
  const fix = 'store it in git itself, or publish from a checkout with its files (docs/push-to-publish.md)'
  const message = `cannot check out the commit: ${quote(path.toString())} is stored in Git LFS, which is not read; ${fix}`
  return new StoppedGit({ code: 'git_lfs', message })
}
