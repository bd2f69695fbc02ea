import { createHash } from 'node:crypto'
import { isHash } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import { errorMessage } from '#platform/base/error.ts'
import { listKeys, verifyObjects } from '../catalogue/objects.ts'
import {
  addContents,
  type Contents,
  contentsOf,
  listReadableReferences,
  logoContents,
  type Reference,
  referenceText,
} from '../catalogue/references.ts'
import { readSnapshot } from '../catalogue/snapshots.ts'
import type { Files, StoredFile } from '../files/files.ts'
import type { Store } from '../store.ts'
import { ACCESS_FIX, contentName, DamagedContent, isAccessDenied } from '../store-error.ts'
import { inOrder } from './in-order.ts'
import type { Problem } from './problem.ts'

export type ContentOptions = { signal: AbortSignal; progress: (done: number, total: number) => void }

/** Finds dangling references, and missing or altered objects and files. Reads every byte. */
export async function contentProblems(store: Store, options: ContentOptions): Promise<Problem[]> {
  const { needed } = await logoContents(store.database) // Damaged themes are reported as rows.
  const problems: Problem[] = []
  for (const reference of (await listReadableReferences(store.database)).records) {
    const problem = await pointerProblem(store, reference, needed)
    if (problem) problems.push(problem)
  }
  const counts = [...needed.values()].map(({ objects, files }) => objects.size + files.size)
  const total = counts.reduce((sum, count) => sum + count, 0)
  let done = 0
  const step = () => {
    options.signal.throwIfAborted()
    options.progress(Math.min(++done, total), total)
  }
  const ofObjects = await objectProblems(store, needed, step)
  const ofFiles = await fileProblems(store, needed, step)
  return [...problems, ...ofObjects, ...ofFiles]
}

/** The problem of a draft or a revision whose content cannot be read. Adds its content to `needed`. */
async function pointerProblem(
  { database }: Store,
  reference: Reference,
  needed: Map<string, Contents>,
): Promise<Problem | undefined> {
  const { workspace, snapshot } = reference
  const problem = (message: string): Problem => {
    return { check: 'pointer', subject: referenceText(reference), message, fix: REIMPORT }
  }
  if (!snapshot) return problem('points at nothing')
  try {
    await addContents(database, workspace, snapshot, contentsOf(needed, workspace))
    const name = await readSnapshot(database, workspace, snapshot).name()
    if (name === reference.name) return undefined
    return problem(`is called ${JSON.stringify(reference.name)}, but its snapshot ${JSON.stringify(name)}`)
  } catch (error) {
    return problem(`cannot be read: ${errorMessage(error)}`)
  }
}

const REIMPORT = 'import and publish its brand folder again, or restore the store from a backup'

/** Finds missing needed objects, and changed ones. */
async function objectProblems(
  { database }: Store,
  needed: ReadonlyMap<string, Contents>,
  step: () => void,
): Promise<Problem[]> {
  const problems: Problem[] = []
  const add = (workspace: string, hash: string, message: string, fix: string) =>
    problems.push({ check: 'object', subject: `object ${hash} of ${workspace}`, message, fix })
  const missing = new Map([...needed].map(([workspace, { objects }]) => [workspace, new Set<string>(objects)]))
  await listKeys(database, keys => {
    for (const { workspace, hash } of keys) missing.get(workspace)?.delete(hash)
  })
  await verifyObjects(database, objects => {
    for (const { workspace, hash, isSound } of objects) {
      step()
      if (isSound) continue
      const isNeeded = isHash(hash) && needed.get(workspace)?.objects.has(hash)
      const fix = isNeeded ? 'restore the store from a backup' : UNREFERENCED
      add(workspace, hash, ALTERED, fix)
    }
  })
  for (const [workspace, hashes] of missing) for (const hash of hashes) add(workspace, hash, 'is missing', REIMPORT)
  return problems
}

const UNREFERENCED = 'nothing refers to it: `housestyle gc` removes it'
const ALTERED = 'has changed: its bytes do not match its hash'

/** Finds missing needed files, and those that have changed or cannot be read. */
async function fileProblems(
  { files }: Store,
  needed: ReadonlyMap<string, Contents>,
  step: () => void,
): Promise<Problem[]> {
  const problems: Problem[] = []
  const add = (subject: string, message: string, fix: string) => problems.push({ check: 'file', subject, message, fix })
  const missing = new Map([...needed].map(([workspace, contents]) => [workspace, new Set(contents.files)]))
  const check = async (file: StoredFile) => ({ file, fault: await checkFile(files, file) })
  for await (const { file, fault } of inOrder(files.listAll(), check, { slots: CONCURRENT_READS })) {
    step()
    const isNeeded = missing.get(file.workspace)?.delete(file.hash) === true
    if (!fault) continue
    const usualFix = isNeeded ? `remove it, then ${REIMPORT}` : UNREFERENCED
    const { message, fix = usualFix, subject = files.pathOf(file.workspace, file.hash) } = fault
    add(subject, message, fix)
  }
  for (const [workspace, hashes] of missing)
    for (const hash of hashes) add(files.pathOf(workspace, hash), 'is missing', REIMPORT)
  return problems
}

const CONCURRENT_READS = 8

/** The fault of a file, and its fix if that is not the usual one. */
type FileFault = { message: string; fix?: string; subject?: string | undefined }

async function checkFile(files: Files, file: StoredFile): Promise<FileFault | undefined> {
  try {
    return (await hashOfFile(files, file)) === file.hash ? undefined : { message: ALTERED }
  } catch (error) {
    if (error instanceof DamagedContent) {
      const subject = contentName(error.place)
      return error.isMissing ? { message: 'is missing', fix: REIMPORT, subject } : { message: ALTERED, subject }
    }
    const message = `cannot be read: ${errorMessage(error)}`
    return isAccessDenied(error) ? { message, fix: ACCESS_FIX } : { message }
  }
}

/** Reads a file as one part, which also verifies the hashes of its parts. */
async function hashOfFile(files: Files, { workspace, hash, size }: StoredFile): Promise<string> {
  const small = files.readSmall?.(workspace, hash)
  if (small) return hashOf(small)
  const digest = createHash('sha256')
  const whole = { start: 0, end: size - 1 }
  const content = (await files.open(workspace, hash, whole)) ?? []
  for await (const chunk of content) digest.update(chunk)
  return digest.digest('hex')
}
