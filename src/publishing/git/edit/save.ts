import { setTimeout as sleep } from 'node:timers/promises'
import { failed, ok } from '#platform/base/result.ts'
import type { GitProblem, GitResult } from '../program/git-problem.ts'
import { type EditClone, type Head, inClone, pushCommit, withHead } from './clone.ts'
import { type Conflict, type FileChange, mergeFiles } from './merge-files.ts'
import { GONE, readTreeFile, refusal, type TreeEntry } from './tree-file.ts'

export type Edit = {
  author: { name: string; email: string }
  /** Makes a repeated save the same commit. */
  saveId: string
}

/** What a commit does to a head. */
export type Plan = {
  /** The first line of the message, without line ends. */
  subject: string
  entries: readonly TreeEntry[]
  conflicts: readonly Conflict[]
}

export type Saved =
  /** Without a commit if nothing had to change. */
  | { outcome: 'saved'; commit: string | undefined }
  /** Nothing was saved. */
  | { outcome: 'conflict'; files: readonly Conflict[] }

/**
 * Commits what is planned for the head of the branch, and pushes the commit. The push, which is never forced, is the
 * only lock: if somebody else pushed meanwhile, the same is planned for the new head.
 */
export async function saveEdit(
  edited: EditClone,
  edit: Edit,
  planFor: (head: Head) => Promise<GitResult<Plan>>,
): Promise<GitResult<Saved>> {
  for (let tries = 1; ; tries++) {
    let refused: GitProblem | undefined
    const tried = await withHead<Saved>(edited, async head => {
      const plan = await planFor(head)
      if (!plan.ok) return plan
      const { entries, conflicts } = plan.value
      if (conflicts.length > 0 || entries.length === 0) {
        const earlier = await findSave(edited, head, save => save.saveId === edit.saveId)
        if (!earlier.ok) return earlier
        const commit = earlier.value?.hash
        const isSaved = conflicts.length === 0 || commit !== undefined
        return ok(isSaved ? { outcome: 'saved', commit } : { outcome: 'conflict', files: conflicts })
      }
      const commit = await writeCommit(edited, head, edit, plan.value)
      if (!commit.ok) return commit
      const pushed = await pushCommit(edited, head, commit.value)
      if (!pushed.ok) refused = pushed.problem
      return ok({ outcome: 'saved', commit: commit.value })
    })
    if (!tried.ok || !refused) return tried
    if (tries >= (MAX_TRIES[refused.code] ?? 1)) return failed(refused)
    await sleep(RETRY_MS * tries, undefined, { signal: edited.signal })
  }
}

/** How often the problems of a push are tried, where that helps. */
const MAX_TRIES: Partial<Record<string, number>> = { git_push_late: 10, git_unreachable: 3, git_too_slow: 2 }
const RETRY_MS = 100

type PastSave = { hash: string; parents: string; saveId: string; subject: string }

/** One of the last saves on a branch; undefined if none is wanted. */
export async function findSave(edited: EditClone, { hash: head }: Head, isWanted: (save: PastSave) => boolean) {
  const args = ['log', `-${DEPTH}`, '--no-show-signature', FORMAT, head, '--']
  const log = await withHead(edited, ({ clone }) => inClone(edited, clone, args), DEPTH)
  if (!log.ok) return log
  const saves = log.value.split('\n').map(line => {
    const [hash = '', parents = '', saveId = '', subject = ''] = line.split('\t')
    return { hash, parents, saveId, subject }
  })
  return ok(saves.find(save => save.saveId !== '' && isWanted(save)))
}

const DEPTH = 50
const FORMAT = '--format=%H%x09%P%x09%(trailers:key=Save-Id,valueonly,separator=%x2C)%x09%s'

/** Plans changes of files. Those of the same place as another person's are conflicts. */
export async function planChanges(
  edited: EditClone,
  head: Head,
  { changes, subject }: { changes: readonly FileChange[]; subject: string },
): Promise<GitResult<Plan>> {
  const merged = await mergeFiles(changes, path => readTreeFile(edited, head, path))
  if (!merged.ok) return merged
  const { files, conflicts } = merged.value
  const entries: TreeEntry[] = []
  for (const { path, content, current } of conflicts.length > 0 ? [] : files)
    if (!content) entries.push({ path, mode: GONE, hash: '0'.repeat(head.hash.length) })
    else {
      const [from, input] = 'file' in content ? [content.file] : ['--stdin', content]
      const hash = await inClone(edited, head.clone, ['hash-object', '-w', '--no-filters', from], { input })
      if (!hash.ok) return hash
      entries.push({ path, mode: current?.mode ?? '100644', hash: hash.value })
    }
  return ok({ subject, entries, conflicts })
}

async function writeCommit(
  edited: EditClone,
  { clone, hash }: Head,
  { author, saveId }: Edit,
  { entries, subject }: Plan,
): Promise<GitResult<string>> {
  const { committer, home, now } = edited
  const date = `${Math.floor(now().getTime() / 1000)} +0000`
  const environment = {
    ...clone.environment,
    GIT_INDEX_FILE: `${home}/index`,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: date,
  }
  const git = (args: readonly string[], input = '') => inClone(edited, { ...clone, environment }, args, { input })
  const read = await git(['read-tree', hash])
  if (!read.ok) return read
  const attributes = await git(['check-attr', '--cached', 'filter', '--', ...entries.map(({ path }) => path)])
  if (!attributes.ok) return attributes
  const [, path, filter] = FILTERED.exec(attributes.value) ?? []
  if (path !== undefined)
    return failed(refusal(path, `.gitattributes gives it to ${filter === 'lfs' ? 'Git LFS' : `the filter ${filter}`}`))
  const lines = entries.map(entry => `${entry.mode} ${entry.hash}\t${entry.path}\0`)
  const updated = await git(['update-index', '-z', '--index-info'], lines.join(''))
  const tree = updated.ok ? await git(['write-tree']) : updated
  return tree.ok ? git(['commit-tree', tree.value, '-p', hash, '-F', '-'], `${subject}\n\nSave-Id: ${saveId}\n`) : tree
}

/** A file that git would convert, and its filter, in the output of git-check-attr(1). */
const FILTERED = /^(.*): filter: (?!(?:unspecified|unset)$)(.+)$/m
