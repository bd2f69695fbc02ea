import { hash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { basename } from 'node:path/posix'
import type { Finding } from '#brand/finding.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { GitProblem } from '../program/git-problem.ts'
import { StoppedGit } from '../program/run-git.ts'
import { type EditClone, type Head, inClone, orStop, withHead } from './clone.ts'
import type { AuditedSave } from './journal.ts'
import { type Conflict, type Content, type FileChange, type MergedFile, mergeFiles } from './merge-files.ts'
import { findFile, refusal } from './tree-file.ts'

export type Edit = AuditedSave & {
  /** The path of the `project.yaml` of the guide. */
  settings: string
  /** With a verified address, which may change, also the one that the service derives from the person; else it is sealed. */
  author: { name: string; email: string; savedBy?: string | undefined }
  /**
   * Why the person may not save this any more; undefined if they may. Asked before anything of the branch is shown, and
   * again immediately before each push.
   */
  refusal?: ((settings: readonly SettingsChange[]) => Promise<GitProblem | undefined>) | undefined
}

/** A `project.yaml` as it is on the branch, and as it shall be; undefined: it does not exist. */
export type SettingsChange = { path: string; before: string | undefined; after: string | undefined }

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
  /** The change would bring these errors, so nothing was saved. */
  | { outcome: 'invalid'; findings: readonly Finding[] }

/** A commit in the clone, which is not yet on the branch. Asks for the right to push it. */
export type MadeCommit = { commit: string; assertRight: () => Promise<void> }

/**
 * A step that commits changes on top of a commit of the clone. `made` is absent for a conflict, or if nothing has to
 * change. Stops if the person may not make the change.
 */
export async function commitOn(
  edited: EditClone,
  parent: Head,
  edit: Changes,
): Promise<{ made?: MadeCommit; conflicts: readonly Conflict[] }> {
  const find = (path: string) => findFile(edited, parent, path)
  const idOf = async (content: Content) =>
    'file' in content ? writeObject(edited, parent, content) : blobId(parent.hash, content)
  const { files, conflicts } = await mergeFiles(edit.changes, find, idOf, edited.merge)
  const commit = files.length > 0 ? await writeCommit(edited, parent, edit, files) : parent.hash
  const paths = new Set([edit.settings, ...files.map(({ path }) => path)])
  const settings = await settingsAmong(edited, paths, { before: parent, after: { ...parent, hash: commit } })
  const assertRight = async () => {
    const problem = await edit.refusal?.(settings)
    if (problem) throw new StoppedGit(problem)
  }
  await assertRight()
  return files.length > 0 ? { made: { commit, assertRight }, conflicts } : { conflicts }
}

/** The id that git gives to bytes, in a repository whose commits have ids such as this one. */
function blobId(commit: string, bytes: Uint8Array): string {
  const algorithm = commit.length === SHA256_DIGITS ? 'sha256' : 'sha1'
  return hash(algorithm, Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))
}

const SHA256_DIGITS = 64

/** Writes content into the clone, unless it already has it. Returns its id. */
async function writeObject(edited: EditClone, { clone }: Head, content: Content): Promise<string> {
  if ('file' in content && !isAbsolute(content.file)) return content.file
  // The name of a file, or standard input with the bytes.
  const [from, input] = 'file' in content ? [content.file] : ['--stdin', content]
  return inClone(edited, clone, ['hash-object', '-w', '--no-filters', from], { input })
}

/** The settings of guides among files, however they were changed. */
async function settingsAmong(
  edited: EditClone,
  paths: ReadonlySet<string>,
  { before, after }: { before: Head; after: Head },
): Promise<SettingsChange[]> {
  const textOf = async (head: Head, path: string) => {
    const bytes = await (await findFile(edited, head, path))?.read(MAX_SETTINGS_BYTES)
    return bytes && decodeText(bytes)
  }
  return Promise.all(
    [...paths]
      .filter(path => basename(path) === 'project.yaml')
      .map(async path => ({ path, before: await textOf(before, path), after: await textOf(after, path) })),
  )
}

/** Larger settings are not imported. */
const MAX_SETTINGS_BYTES = 1 << 20

/** The last saves on the branch, and a clone that has them. */
export async function lastSaves(edited: EditClone) {
  const found = await withHead({ ...edited, depth: DEPTH }, async ({ clone, hash: head }) => {
    const log = await inClone(edited, clone, ['log', `-${DEPTH}`, '--no-show-signature', FORMAT, head, '--'])
    const saves = log.split('\n').map(line => {
      const [hash = '', parents = '', saveId = '', email = '', subject = ''] = line.split('\t')
      return { hash, parents, saveId, email, subject }
    })
    return { clone, saves: saves.filter(({ saveId }) => saveId !== '') }
  })
  return orStop(found)
}

/** The number of last commits that may be saves. */
const DEPTH = 50
/** git-log(1): hash, parents, Save-Id, address of the author and subject, with tabs between them. */
const FORMAT = '--format=%H%x09%P%x09%(trailers:key=Save-Id,valueonly,separator=%x2C)%x09%ae%x09%s'

/** Makes a commit of merged files with git's plumbing commands, without a working tree. Returns its id. */
async function writeCommit(edited: EditClone, parent: Head, edit: Changes, files: readonly MergedFile[]) {
  const { author, saveId, subject } = edit
  const { clone, hash: parentId } = parent
  const environment = {
    ...clone.environment,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: edited.committer.name,
    GIT_COMMITTER_EMAIL: edited.committer.email,
  }
  const git = (args: readonly string[], input = '') => inClone(edited, { ...clone, environment }, args, { input })
  await git(['read-tree', parentId])
  const attributes = await git(['check-attr', '--cached', 'filter', '--', ...files.map(({ path }) => path)])
  const [, path, filter] = groupsOf(FILTERED, attributes)
  if (path !== undefined)
    throw refusal(path, `.gitattributes gives it to ${filter === 'lfs' ? 'Git LFS' : `the filter ${filter}`}`)
  for (const { content } of files) if (content) await writeObject(edited, parent, content)
  // Mode 0 removes a file (git-update-index(1), "Using --index-info").
  const noId = '0'.repeat(parentId.length)
  const entries = files.map(
    ({ path, id, current: { mode = '100644' } = {} }) => `${id ? mode : 0} ${id ?? noId}\t${path}\0`,
  )
  await git(['update-index', '-z', '--index-info'], entries.join(''))
  const tree = await git(['write-tree'])
  const trailers = [`Save-Id: ${saveId}\n`, ...(author.savedBy === undefined ? [] : [`Saved-By: ${author.savedBy}\n`])]
  return git(['commit-tree', tree, '-p', parentId, '-F', '-'], `${subject}\n\n${trailers.join('')}`)
}

/** A file that git would convert, and its filter, in the output of git-check-attr(1). */
const FILTERED = /^(.*): filter: (?!(?:unspecified|unset)$)(.+)$/m
