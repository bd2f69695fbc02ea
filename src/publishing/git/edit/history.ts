import type { GitResult } from '../program/git-problem.ts'
import { type EditClone, type Head, inClone, withHead } from './clone.ts'
import { findFile } from './tree-file.ts'

/** A commit that changed a file, with its time, author and subject. */
export type Version = { hash: string; at: Date; author: string; subject: string }

/**
 * The commits that changed a file, the newest first, and the file as those that somebody asks for left it, by commit.
 * `isWhole`: the branch has no earlier ones.
 */
export type FileHistory = {
  versions: readonly Version[]
  isWhole: boolean
  contents: ReadonlyMap<string, Uint8Array | undefined>
}

/**
 * The history of a file among the last commits of the branch, as long as it has had this path, with its content at some of
 * them. It has none of a commit that removed the file or is not in the history.
 */
export function historyOf(edited: EditClone, path: string, wanted: readonly string[]): Promise<GitResult<FileHistory>> {
  return withHead({ ...edited, depth: DEPTH }, async head => {
    const history = await historyAt(edited, head, path)
    const contents = new Map<string, Uint8Array | undefined>()
    for (const { hash } of history.versions.filter(version => wanted.includes(version.hash)))
      contents.set(hash, await (await findFile(edited, { ...head, hash }, path))?.read(MAX_TEXT_BYTES))
    return { ...history, contents }
  })
}

async function historyAt(edited: EditClone, { clone, hash }: Head, path: string) {
  const args = ['--literal-pathspecs', 'log', '-z', '--no-show-signature', '--decorate=short', FORMAT, hash, '--', path]
  const log = await inClone(edited, clone, args)
  const commits = log.split('\0').flatMap(record => {
    const [, commit = '', at = '', author = '', names = '', subject = ''] = RECORD.exec(record) ?? []
    return commit === '' ? [] : [{ hash: commit, at: new Date(at), author, subject, isFirst: names === 'grafted' }]
  })
  // The first commit that was fetched has all files, whoever wrote them.
  const versions = commits.filter(({ isFirst }) => !isFirst).map(({ isFirst, ...version }) => version)
  return { versions, isWhole: versions.length === commits.length }
}

/** The number of last commits among which versions are sought. */
const DEPTH = 200
/** Larger pages and lists are not imported. */
const MAX_TEXT_BYTES = 1 << 20
/** git-log(1): hash, time, author, names and subject, with tabs between them. */
const FORMAT = '--format=%H%x09%cI%x09%an%x09%D%x09%s'
const RECORD = /^(\w+)\t(\S+)\t([^\t]*)\t([^\t]*)\t(.*)$/
