import { closeSync, mkdirSync, openSync, symlinkSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AbsentFile, Finding } from '#brand/finding.ts'
import { isWorkspaceId, type WorkspaceId } from '#brand/ids.ts'
import { isLfsPointer, MAX_POINTER_BYTES } from '#brand/lfs-pointer.ts'
import { readWorkspaceFile } from '#intake/project/workspace.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import { quote, shellWord } from '#platform/base/text.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import type { Publisher } from '#store/catalogue/pointers.ts'
import type { Lock } from '#store/database/locks.ts'
import type { Store } from '#store/store.ts'
import { sourceName } from '../../feeders.ts'
import { type ImportOptions, type ImportResult, importFolder } from '../../import/import.ts'
import { type PublishResult, publishEvery } from '../../publish.ts'
import type { Commit, GitResult } from '../program/git-problem.ts'
import { type GitRunner, runGit, streamGit } from '../program/run-git.ts'
import { mirrorProblem } from '../repository/mirror.ts'
import { listTree, SUBMODULE_FIX, submoduleReason, type Tree, type TreeEntry } from '../repository/tree.ts'
import { fetchLfsFiles, type LfsHost, type Pointer } from './lfs-files.ts'
import type { ImportedCommit } from './source-state.ts'

export type TreeImport = {
  store: Store
  source: GitSource
  host: LfsHost
  commit: Commit
  /** The addresses of the authors of the commits since the last import. */
  authors: readonly string[]
  mirror: GitRunner
  edit: string | undefined
  /** A private folder, in which the commit is checked out. */
  home: string
  maxBytes: number
  read: Pick<ImportOptions, 'media' | 'caps' | 'signal' | 'progress' | 'take'>
  lock: Pick<Lock, 'assertHeld'>
}

type Imported = Omit<ImportedCommit, 'commit' | 'remote' | 'content'>

/** Checks out a tree into a new folder, imports and publishes it, and removes the folder. */
export async function importTree(task: TreeImport, tree: string): Promise<GitResult<Imported>> {
  const { store, mirror, source, home, maxBytes } = task
  const listed = await listTree(mirror, { url: source.url, tree }, { ...TREE_LIMITS, bytes: maxBytes })
  if (!listed.ok) return listed
  const { entries, submodules } = listed.value
  const parent = join(home, 'tree')
  await rm(parent, { recursive: true, force: true }) // From a pull that was killed.
  try {
    const workspace = await workspaceOf(task, listed.value)
    if (!workspace.ok) return workspace
    mkdirSync(parent, { mode: 0o700 })
    // A project at the root of the folder is named after it, so it has the name of the workspace.
    const folder = join(parent, workspace.value)
    const checkout = await checkOut(mirror, source.url, folder, entries)
    if (!checkout.ok) return checkout
    const bytesLeft = entries.reduce((bytes, { size }) => bytes - size, maxBytes)
    const missing = await fetchLfsFiles(task, workspace.value, checkout.value, bytesLeft)
    const skipped: AbsentFile[] = submodules.map(path => ({ path, rule: 'git-submodule', message: SUBMODULE }))
    const imported = await importFrom(folder, task, [...skipped, ...missing])
    if (!imported.ok || missing.length === 0) return imported
    return ok({ ...imported.value, retryAt: store.clock.date().getTime() + RETRY_MS })
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}

/** The wait before the next request for files in Git LFS that did not arrive. */
const RETRY_MS = 10 * 60_000
const SUBMODULE =
  "is a submodule and is skipped with all its files: add them to the repository itself, or follow the submodule's own repository"

/** More than any guide needs: by default, one project has at most 10,000 pages, files and styles each. */
export const TREE_LIMITS = { entries: 200_000, depth: 64 }

/** The workspace of the source or of `workspace.yaml`. If that file has an error, the import reports it. */
export async function workspaceOf(
  { mirror, source }: Pick<TreeImport, 'mirror' | 'source'>,
  { entries, submodules: [submodule] }: Tree,
): Promise<GitResult<string>> {
  const file = entries.find(({ path }) => path.equals(WORKSPACE_FILE))
  const setWorkspace = ownWorkspace(source)
  const problem = (why: string, fix: string) =>
    failed({ code: 'workspace_missing', message: `cannot import ${sourceName(source)}: ${why}; ${fix}` } as const)
  // Without a workspace.yaml, and if the settings name the workspace without a project, the brand may be further down.
  const isBrandFolder = file || (setWorkspace !== undefined && hasProject(entries))
  const folder = isBrandFolder ? undefined : brandFolder(source, entries)
  if (folder !== undefined) return problem(`the brand is in the folder ${folder}/`, `add --path ${shellWord(folder)}`)
  if (setWorkspace !== undefined) return ok(setWorkspace)
  const text = file?.isLink === false ? await runGit(mirror, ['cat-file', 'blob', file.hash]) : undefined
  if (text?.ok === false && text.problem.kind !== 'stopped') return failed(mirrorProblem(source.url, text.problem))
  const { workspace, problems } = text?.ok ? readWorkspaceFile(text.value) : { workspace: {}, problems: [] }
  // With an error, any name will do: the import reports it and stores nothing.
  if (workspace.id !== undefined || problems.length > 0) return ok(workspace.id ?? 'brand')
  if (!file && submodule !== undefined && !hasProject(entries))
    return problem(submoduleReason(submodule), SUBMODULE_FIX)
  const why = file?.isLink ? 'workspace.yaml is a symbolic link, which is not followed' : 'its workspace has no id'
  return problem(why, 'write id: into workspace.yaml, or workspace: into the entry of git: in housestyle.yaml')
}

function hasProject(entries: readonly TreeEntry[]): boolean {
  return entries.some(({ path }) => /^(?:[^/]+\/)?(?:pages|styles|files)\//.test(path.toString()))
}

/** The uppermost folder with a workspace.yaml, which is the brand folder if the path of the source was forgotten. */
function brandFolder({ path: start }: GitSource, entries: readonly TreeEntry[]): string | undefined {
  const files = entries.filter(({ isLink }) => !isLink).map(({ path }) => path.toString().split('/'))
  const folders = files.filter(names => names.at(-1) === `${WORKSPACE_FILE}`).map(names => names.slice(0, -1))
  const [folder] = folders.toSorted((a, b) => a.length - b.length)
  return folder && [...(start === undefined ? [] : [start]), ...folder].join('/')
}

const WORKSPACE_FILE = Buffer.from('workspace.yaml')

/** The workspace that the settings of a source name. */
export function ownWorkspace({ workspace = '' }: GitSource): WorkspaceId | undefined {
  return isWorkspaceId(workspace) ? workspace : undefined
}

/** Imports a folder with the files of a commit, and publishes it if the source is set so. */
async function importFrom(
  folder: string,
  task: TreeImport,
  absent: readonly AbsentFile[],
): Promise<GitResult<Imported>> {
  const { store, source, commit, authors, edit, read, lock } = task
  const workspaceId = ownWorkspace(source)
  const note = noteOf(commit)
  const result = await importFolder(store, folder, {
    ...read,
    source,
    authors,
    ...withoutUndefined({ workspaceId, derivedEdit: edit }),
    absent,
    note,
    isDryRun: false,
    now: store.clock.date,
  })
  const busy = result.findings.find(({ rule }) => rule === 'project-copying')
  if (busy) return failed({ code: 'pull_failed', message: `cannot import: ${busy.message}` })
  await lock.assertHeld()
  const published =
    source.publish === 'auto' ? await publishImported(store, result, { note, who: commit.author }) : ok([])
  return published.ok ? ok(summary(source, result, published.value)) : published
}

/** `New logo (Ada, 3f2a1b9c4d5e)` */
export function noteOf({ hash, author, subject }: Commit): string {
  return `${subject} (${author}, ${hash.slice(0, SHORT)})`
}

const SHORT = 12

/** Publishes the imported drafts whose named reviewers have answered. */
async function publishImported(
  store: Store,
  { workspace, projects }: ImportResult,
  by: Publisher,
): Promise<GitResult<readonly PublishResult[]>> {
  if (workspace === null) return ok([])
  const imported = new Set<string>(projects.filter(each => each.imported).map(({ project }) => project))
  // Drafts whose reviewers have not answered wait for somebody who publishes them.
  const isWanted = (record: ProjectRecord) => record.workspace === workspace && imported.has(record.project)
  const published = await publishEvery(store, { ...by, approvers: 'named' }, store.clock.date(), isWanted)
  if (published.ok) return ok(published.value.published)
  return failed({ code: 'pull_failed', message: `cannot publish: ${published.problem.message}` })
}

/** Publishes the approved drafts of an imported commit. Returns the commit with their revisions. */
export async function publishApproved(
  store: Store,
  { publish }: GitSource,
  commit: ImportedCommit,
): Promise<ImportedCommit> {
  if (publish !== 'approved') return commit
  const imported = new Set(commit.projects.filter(each => each.imported).map(each => each.project))
  const by = { who: commit.commit.author, approvers: 'signed-in' } as const
  // Publishing a served draft again would serve changed settings of its workspace. One that is being copied can wait.
  const isWanted = ({ workspace, project, status }: ProjectRecord) =>
    workspace === commit.workspace && imported.has(project) && (status === 'Draft' || status === 'Changed')
  const done = await publishEvery(store, by, store.clock.date(), isWanted)
  const published = done.ok ? done.value.published : []
  const projects = commit.projects.map(each => {
    const publication = published.find(({ project }) => project === each.project)
    return publication ? { ...each, ...publicationOf(publication) } : each
  })
  return { ...commit, projects }
}

/** The result of an import and its publications, as the store keeps it. */
function summary(
  { path, workspace: setWorkspace = '' }: GitSource,
  { workspace, projects, findings, endedPlans }: ImportResult,
  published: readonly PublishResult[],
): Imported {
  const inRepository = (finding: Finding) =>
    path === undefined ? finding : { ...finding, path: finding.path === '.' ? path : `${path}/${finding.path}` }
  const errors = findings.filter(({ severity }) => severity === 'error')
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  return {
    workspace: workspace ?? setWorkspace,
    projects: projects.map(({ project, imported, changed }) => {
      const publication = published.find(each => each.project === project)
      return {
        project,
        imported,
        changed: publication?.changed ?? changed,
        ...(publication ? publicationOf(publication) : { revision: null }),
      }
    }),
    ...withoutUndefined({ endedPlans }),
    errors: errors.length,
    warnings: warnings.length,
    findings: [...errors, ...warnings].slice(0, MAX_FINDINGS).map(inRepository),
  }
}

function publicationOf({ revision, workspaceChanges }: PublishResult) {
  return { revision, ...withoutUndefined({ workspaceChanges }) }
}

/** The others are only counted; `housestyle check` lists all. */
const MAX_FINDINGS = 20

/**
 * Writes checked entries into a new folder, with exactly the bytes that the commit has: no attribute, filter or hook of
 * a repository applies, because git itself writes nothing there. A symbolic link gets another target, which does not
 * exist, so that an import reports it. Returns the pointers of Git LFS.
 */
export async function checkOut(
  mirror: GitRunner,
  url: string,
  folder: string,
  entries: readonly TreeEntry[],
): Promise<GitResult<Pointer[]>> {
  const pointers: Pointer[] = []
  const files = entries.filter(({ isLink }) => !isLink)
  mkdirSync(folder, { mode: 0o700 })
  const makeFolders = folderMaker(folder)
  const args = ['cat-file', '--batch', '--buffer']
  const outcome = await streamGit(mirror, args, { maxMs: MAX_CHECKOUT_MS }, async ({ input, output }) => {
    const asking = pipeline(Readable.from(files.map(({ hash }) => `${hash}\n`)), input)
    asking.catch(() => undefined) // The command has ended, which the loop notices.
    const objects = openObjects(output)
    for (const file of files) {
      const place = makeFolders(file.path)
      const text = await writeObject(objects, file, place)
      if (isLfsPointer(text)) pointers.push({ path: file.path.toString(), place, text })
    }
    await asking
    await objects.end()
  })
  for (const { path } of entries.filter(({ isLink }) => isLink)) symlinkSync(NOWHERE, makeFolders(path))
  return outcome.ok ? ok(pointers) : failed(mirrorProblem(url, outcome.problem))
}

const MAX_CHECKOUT_MS = 30 * 60_000
const NOWHERE = '.not-followed'

/** A function that makes the folders above a path, each once, and gives the place of the file. Paths are bytes. */
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

type Objects = ReturnType<typeof openObjects>

/**
 * Reads the output of `git cat-file --batch` in pieces. For each object, it has a line `<hash> blob <size>`, the bytes, and
 * an empty line.
 */
function openObjects(output: Readable) {
  const chunks = output[Symbol.asyncIterator]()
  /** Bytes that were received and not read yet. */
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { done, value } = await chunks.next()
    if (done) throw new Error('git ended before it had written every file')
    return Buffer.from(value)
  }
  return {
    line: async (): Promise<string> => {
      let end = rest.indexOf('\n')
      for (; end === -1; end = rest.indexOf('\n')) rest = Buffer.concat([rest, await more()])
      const line = rest.subarray(0, end).toString()
      rest = rest.subarray(end + 1)
      return line
    },
    /** Passes on this many bytes. */
    bytes: async (length: number, take: (piece: Buffer) => void) => {
      for (let left = length; left > 0; ) {
        if (rest.length === 0) rest = await more()
        const piece = rest.subarray(0, left)
        take(piece)
        left -= piece.length
        rest = rest.subarray(piece.length)
      }
    },
    /** Waits for the end, before which nothing may follow. */
    end: async () => {
      const { done } = await chunks.next()
      if (!done || rest.length > 0) throw new Error('git wrote more than the files')
    },
  }
}

/** Writes an object. Returns its text if it is small enough for a pointer. */
async function writeObject(objects: Objects, { hash, size }: TreeEntry, place: Buffer): Promise<string> {
  const header = await objects.line()
  if (header !== `${hash} blob ${size}`) throw new Error(`git describes an object as ${quote(header)}`)
  const file = openSync(place, 'wx', 0o600)
  let text = ''
  try {
    await objects.bytes(size, piece => {
      if (size <= MAX_POINTER_BYTES) text += piece.toString('latin1')
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
    })
  } finally {
    closeSync(file)
  }
  await objects.line() // The empty line after the bytes.
  return text
}
