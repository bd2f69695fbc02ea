import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeText, encodeLike, readAll } from '#platform/base/bytes.ts'
import { failed, ok } from '#platform/base/result.ts'
import { withGitAccess } from '../program/git-access.ts'
import { explainFailure, type GitProblem, type GitResult } from '../program/git-problem.ts'
import { type GitRunner, runGit, streamGit } from '../program/run-git.ts'
import { mirrorProblem } from '../repository/mirror.ts'
import { type EditClone, type Head, inClone, pushCommit, runnerIn, withHead } from './clone.ts'
import { mergedText, passagesOf } from './merge.ts'
import { readTreeFile, refusal } from './tree-file.ts'

/** A file as the person opened it and as it shall be, by its path in the repository; undefined: it does not exist. */
export type FileChange = { path: string; before: Uint8Array | undefined; after: Content | undefined }

/** Bytes, or the absolute path of a file that has them and stays until the save ends. */
export type Content = Uint8Array | { file: string }

export type Edit = {
  changes: readonly FileChange[]
  author: { name: string; email: string }
  committer: { name: string; email: string }
  /** The first line of the message, without line ends. */
  subject: string
  /** Makes a repeated save the same commit. */
  saveId: string
  now: Date
  /** Whether a file that has changed meanwhile is a conflict even where other places changed. */
  isStrict?: boolean
}

export type Saved =
  /** Without a commit if nothing had to change. */
  | { outcome: 'saved'; commit: string | undefined; isMerged: boolean }
  /** Another person changed the same places: the files as they are now. Nothing was saved. */
  | { outcome: 'conflict'; files: readonly { path: string; theirs: Uint8Array | undefined }[] }

/**
 * Commits changes to the head of the branch, and pushes the commit. The push, which is never forced, is the only lock:
 * if somebody else pushed meanwhile, the changes are merged into the new head, a few times.
 */
export async function saveEdit(edited: EditClone, edit: Edit): Promise<GitResult<Saved>> {
  const heads: string[] = []
  for (;;) {
    let refused: GitProblem | undefined
    const tried = await withHead<Saved>(edited, async head => {
      heads.push(head.commit.hash)
      const committed = await commitAt(edited, head, edit)
      if (!committed.ok || !('pushed' in committed.value)) return committed
      const { pushed, ...saved } = committed.value
      const result = await pushCommit(edited, head, pushed)
      if (!result.ok) refused = result.problem
      return ok(saved)
    })
    if (!tried.ok || !refused) return tried
    // A branch that does not move is refused for another reason than another push.
    const isRefused = refused.code === 'git_refused' || heads.at(-1) === heads.at(-MAX_SAME)
    if (isRefused || heads.length === MAX_TRIES) return failed(refused)
    await sleep(RETRY_MS * heads.length, undefined, { signal: edited.signal })
  }
}

const MAX_TRIES = 10
const MAX_SAME = 3
const RETRY_MS = 100

type Committed = Saved | (Extract<Saved, { outcome: 'saved' }> & { pushed: string })

async function commitAt(edited: EditClone, head: Head, edit: Edit): Promise<GitResult<Committed>> {
  const files: NewFile[] = []
  const conflicts: { path: string; theirs: Uint8Array | undefined }[] = []
  let isMerged = false
  for (const change of edit.changes) {
    const now = await readTreeFile(edited, head, change.path)
    if (!now.ok) return now
    const current = now.value?.bytes
    const next = await mergeFile(change, current, edit.isStrict)
    if (!next) conflicts.push({ path: change.path, theirs: current })
    else if (!(await isSame(next.content, current))) {
      isMerged ||= next.isMerged
      files.push({ path: change.path, mode: now.value?.mode ?? '100644', content: next.content })
    }
  }
  if (conflicts.length > 0 || files.length === 0) {
    const earlier = await findSave(edited, head, edit.saveId)
    if (!earlier.ok) return earlier
    const isDone = conflicts.length === 0 || earlier.value !== undefined
    return ok(
      isDone ? { outcome: 'saved', commit: earlier.value, isMerged } : { outcome: 'conflict', files: conflicts },
    )
  }
  const commit = await writeCommit(edited, head, files, edit)
  return commit.ok ? ok({ outcome: 'saved', commit: commit.value, isMerged, pushed: commit.value }) : commit
}

/** The file with the changes of both; undefined if both changed the same place. A file on disk is not merged. */
export async function mergeFile(
  { before, after }: FileChange,
  current: Uint8Array | undefined,
  isStrict = false,
): Promise<{ content: Content | undefined; isMerged: boolean } | undefined> {
  // A form cannot tell an empty file from none.
  const isOpened = (await isSame(before, current)) || (!before && current?.length === 0)
  if (isOpened || (await isSame(after, current))) return { content: after, isMerged: false }
  if (isStrict || !current || !before || !after || 'file' in after) return undefined
  const [base, mine, theirs] = [before, after, current].map(decodeText)
  if (base === undefined || mine === undefined || theirs === undefined) return undefined
  const merged = passagesOf(base, mine, theirs).map(mergedText)
  return merged.includes(undefined) ? undefined : { content: encodeLike(current, merged.join('')), isMerged: true }
}

async function isSame(one: Content | undefined, other: Uint8Array | undefined): Promise<boolean> {
  if (one === undefined || other === undefined) return one === other
  if (!('file' in one)) return Buffer.compare(one, other) === 0
  return (await stat(one.file)).size === other.length && Buffer.compare(await readFile(one.file), other) === 0
}

/** The commit of the same save, if it is among the last ones. */
async function findSave(edited: EditClone, head: Head, saveId: string): Promise<GitResult<string | undefined>> {
  const { clone, commit } = head
  const deeper = await deepen(edited, head)
  if (!deeper.ok) return deeper
  const format = '--format=%H %(trailers:key=Save-Id,valueonly,separator=%x2C)'
  const log = await inClone(edited, clone, ['log', `-${DEPTH}`, '--no-show-signature', format, commit.hash, '--'])
  return log.ok
    ? ok(
        log.value
          .split('\n')
          .find(line => line.endsWith(` ${saveId}`))
          ?.split(' ')[0],
      )
    : log
}

export const DEPTH = 50

/** Fetches the last commits before the head, too. */
export async function deepen(
  { source, home, host, signal }: EditClone,
  { branch, clone }: Head,
): Promise<GitResult<undefined>> {
  return withGitAccess(host, source, { home, signal }, async runner => {
    const { url } = source
    const args = ['fetch', '--quiet', `--depth=${DEPTH}`, '--no-tags', '--no-write-fetch-head', '--', url]
    const fetched = await runGit(runnerIn(clone, runner), [...args, `refs/heads/${branch}`])
    return fetched.ok ? ok(undefined) : failed(explainFailure(`fetch ${url}`, url, fetched.problem, host))
  })
}

type NewFile = { path: string; mode: string; content: Content | undefined }

async function writeCommit(
  edited: EditClone,
  head: Head,
  files: readonly NewFile[],
  edit: Edit,
): Promise<GitResult<string>> {
  const { clone, commit } = head
  const index = join(edited.home, 'index')
  const indexed = { ...clone, environment: { ...clone.environment, GIT_INDEX_FILE: index, ...identities(edit) } }
  const read = await inClone(edited, indexed, ['read-tree', commit.hash])
  if (!read.ok) return read
  const lines: string[] = []
  for (const { path, mode, content } of files) {
    const filtered = await filterOf(edited, indexed, path)
    if (!filtered.ok || filtered.value) return filtered.ok ? failed(refusal(path, filtered.value ?? '')) : filtered
    const hash = content && (await writeContent(edited, indexed, content))
    if (hash && !hash.ok) return hash
    lines.push(hash ? `${mode} ${hash.value}\t${path}\0` : `0 ${'0'.repeat(commit.hash.length)}\t${path}\0`)
  }
  const updated = await write(edited, indexed, ['update-index', '-z', '--index-info'], Buffer.from(lines.join('')))
  if (!updated.ok) return updated
  const tree = await write(edited, indexed, ['write-tree'])
  if (!tree.ok) return tree
  const message = Buffer.from(`${edit.subject}\n\nSave-Id: ${edit.saveId}\n`)
  return write(edited, indexed, ['commit-tree', tree.value, '-p', commit.hash, '-F', '-'], message)
}

function writeContent(edited: EditClone, clone: GitRunner, content: Content): Promise<GitResult<string>> {
  const hashObject = ['hash-object', '-w', '--no-filters']
  if ('file' in content) return write(edited, clone, [...hashObject, '--', content.file])
  return write(edited, clone, [...hashObject, '--stdin'], content)
}

function identities({ author, committer, now }: Edit): Record<string, string> {
  const date = `${Math.floor(now.getTime() / 1000)} +0000`
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: date,
  }
}

/** Why git would convert this file by `.gitattributes`; undefined if it would not. */
async function filterOf(edited: EditClone, indexed: GitRunner, path: string): Promise<GitResult<string | undefined>> {
  const attributes = await inClone(edited, indexed, ['check-attr', '--cached', '-z', 'filter', '--', path])
  if (!attributes.ok) return attributes
  const [, , value = 'unspecified'] = attributes.value.split('\0')
  if (['unspecified', 'unset'].includes(value)) return ok(undefined)
  return ok(value === 'lfs' ? '.gitattributes gives it to Git LFS' : `.gitattributes gives it to the filter ${value}`)
}

/** Runs a step that reads these bytes; returns its only line. */
async function write(
  { source: { url } }: EditClone,
  clone: GitRunner,
  args: readonly string[],
  bytes: Uint8Array = new Uint8Array(),
): Promise<GitResult<string>> {
  const result = await streamGit(clone, args, {}, async ({ input, output }) => {
    input.end(bytes)
    return (await readAll(output, 1 << 20, () => new Error('git printed too much'))).toString().trim()
  })
  return result.ok ? ok(result.value) : failed(mirrorProblem(url, result.problem))
}
