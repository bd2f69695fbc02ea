import { isAbsolute } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GitResult } from '../program/git-problem.ts'
import { FETCHED } from '../repository/mirror.ts'
import { type EditClone, type Head, inClone, orStop, pushCommit, withHead } from './clone.ts'
import { type Conflict, type Content, type FileChange, type MergedFile, mergeFiles } from './merge-files.ts'
import { findFile, refusal } from './tree-file.ts'

export type Edit = {
  author: { name: string; email: string }
  /** Makes a repeated save the same commit. */
  saveId: string
}

export type Changes = Edit & {
  changes: readonly FileChange[]
  /** The first line of the message, without line ends. */
  subject: string
}

export type Saved =
  /** Without a commit if nothing had to change. */
  | { outcome: 'saved'; commit: string | undefined }
  /** Nothing was saved. */
  | { outcome: 'conflict'; files: readonly Conflict[] }

/**
 * Commits changes to the head of the branch, and pushes the commit. The push, which is never forced, is the only lock:
 * if somebody else pushed meanwhile, the same is done with the new head.
 */
export async function saveEdit(edited: EditClone, edit: Changes): Promise<GitResult<Saved>> {
  for (let tries = 1; ; tries++) {
    const saved = await withHead(edited, head => saveOn(edited, head, edit))
    if (saved.ok || tries >= (MAX_TRIES[saved.problem.code] ?? 1)) return saved
    await sleep(RETRY_MS * tries, undefined, { signal: edited.signal })
  }
}

/** How often a save is tried, for the problems where that helps. */
const MAX_TRIES: Partial<Record<string, number>> = { git_push_late: 10, git_unreachable: 3, git_too_slow: 2 }
const RETRY_MS = 100

async function saveOn(edited: EditClone, head: Head, edit: Changes): Promise<Saved> {
  const hashOf = async (content: Content) => {
    if ('file' in content && !isAbsolute(content.file)) return content.file
    const [from, input] = 'file' in content ? [content.file] : ['--stdin', content]
    return inClone(edited, head.clone, ['hash-object', '-w', '--no-filters', from], { input })
  }
  const { files, conflicts } = await mergeFiles(edit.changes, path => findFile(edited, head, path), hashOf)
  if (files.length > 0) {
    const commit = await writeCommit(edited, head, edit, files)
    await pushCommit(edited, head, commit)
    return { outcome: 'saved', commit }
  }
  const commit = (await findSave(edited, 'saveId', edit.saveId))?.hash
  return conflicts.length > 0 && !commit ? { outcome: 'conflict', files: conflicts } : { outcome: 'saved', commit }
}

/** A step that finds one of the last saves on the branch, and a clone that has it. */
export async function findSave(edited: EditClone, key: 'hash' | 'saveId', wanted: string) {
  const found = await withHead({ ...edited, depth: DEPTH }, async ({ clone, hash: head }) => {
    const log = await inClone(edited, clone, ['log', `-${DEPTH}`, '--no-show-signature', FORMAT, head, '--'])
    const saves = log.split('\n').map(line => {
      const [hash = '', parents = '', saveId = '', subject = ''] = line.split('\t')
      return { hash, parents, saveId, subject, clone }
    })
    return saves.find(save => save.saveId !== '' && save[key] === wanted)
  })
  return orStop(found)
}

const DEPTH = 50
const FORMAT = '--format=%H%x09%P%x09%(trailers:key=Save-Id,valueonly,separator=%x2C)%x09%s'

async function writeCommit(edited: EditClone, { clone, hash }: Head, edit: Changes, files: readonly MergedFile[]) {
  const { author, saveId, subject } = edit
  const environment = {
    ...clone.environment,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: edited.committer.name,
    GIT_COMMITTER_EMAIL: edited.committer.email,
  }
  const git = (args: readonly string[], input = '') => inClone(edited, { ...clone, environment }, args, { input })
  await git(['read-tree', hash])
  const attributes = await git(['check-attr', '--cached', 'filter', '--', ...files.map(({ path }) => path)])
  const [, path, filter] = FILTERED.exec(attributes) ?? []
  if (path !== undefined)
    throw refusal(path, `.gitattributes gives it to ${filter === 'lfs' ? 'Git LFS' : `the filter ${filter}`}`)
  const none = '0'.repeat(hash.length)
  const entries = files.map(
    ({ path, id, current: { mode = '100644' } = {} }) => `${id ? mode : 0} ${id ?? none}\t${path}\0`,
  )
  await git(['update-index', '-z', '--index-info'], entries.join(''))
  const tree = await git(['write-tree'])
  const commit = await git(['commit-tree', tree, '-p', hash, '-F', '-'], `${subject}\n\nSave-Id: ${saveId}\n`)
  // Once it is pushed, the commit need not be fetched.
  await git(['update-ref', FETCHED, commit])
  return commit
}

/** A file that git would convert, and its filter, in the output of git-check-attr(1). */
const FILTERED = /^(.*): filter: (?!(?:unspecified|unset)$)(.+)$/m
