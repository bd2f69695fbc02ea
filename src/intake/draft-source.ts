import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import type { Problem } from '../brand/finding.ts'
import { currentFingerprintOf } from './folder/file-version.ts'
import type { WalkedFile } from './folder/walk.ts'
import type { DraftHead, DraftSource, ProjectReading, ReadCache } from './reading.ts'
import type { WrittenStyles } from './styles/styles.ts'

/* What a draft is made from, and what is found meanwhile, so that an import of the same can take the draft again. */

/** The pages and files of a project, as many as `total`, before they are read. */
export type WalkedProject = {
  pages: WalkedFile[]
  files: WalkedFile[]
  total: number
  filesYaml: WalkedPath
  /** What stands in the folder, and is neither. */
  leftOut: string[]
}

/** A path, and the file that stood there when the folder was walked. */
type WalkedPath = { path: string; found?: WalkedFile }

/**
 * Names all that a draft, and what is found from here on, follow from: what the YAML files say, and which pages and files
 * there are in which version. Undefined if one of those was changed just now.
 */
export function draftSource(
  { project, options }: ProjectReading,
  head: DraftHead,
  styles: WrittenStyles,
  { pages, files, filesYaml, leftOut }: WalkedProject,
): DraftSource | undefined {
  const walked = [...pages, ...files]
  const all = filesYaml.found ? [...walked, filesYaml.found] : walked
  if (all.some(({ fingerprint }) => fingerprint === undefined)) return undefined
  const versions = all.map(({ path, fingerprint }) => `${path}\n${fingerprint}\n`).join('')
  const { caps, isForExport = false } = options
  const fingerprint = hash('sha256', serialize([head, project.file, styles, caps, isForExport, versions, leftOut]))
  return { folder: project.folder.path, files: walked.map(({ path }) => path), fingerprint }
}

/** Whether what stands at a path is what stood there when the folder was walked, so that what was read is that too. */
export function isUnchanged(root: string, { path, found }: WalkedPath): boolean {
  try {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
    return (stat && currentFingerprintOf(stat)) === found?.fingerprint
  } catch {
    return false
  }
}

/**
 * Records what is found while a draft is made. `found` gives it as a text that `repeat` takes, unless something of it may
 * be otherwise the next time: then not all pages and files, of which there are `total`, are in the read cache.
 */
export function recordFindings(reading: ProjectReading): {
  reading: ProjectReading
  found: (total: number) => string | undefined
} {
  const { findings, options } = reading
  const found: Found[] = []
  let cached = 0
  const readCache: ReadCache = {
    find: async (path, fingerprint) => {
      const value = await options.readCache.find(path, fingerprint)
      if (value !== undefined) cached++
      return value
    },
    keep: (path, fingerprint, read) => {
      cached++
      return options.readCache.keep(path, fingerprint, read)
    },
  }
  const add: typeof findings.add = (project, path, ...problems) => {
    findings.add(project, path, ...problems)
    if (found.length <= MAX_FOUND) for (const problem of problems) found.push([path, problem])
  }
  return {
    reading: { ...reading, findings: { ...findings, add }, options: { ...options, readCache } },
    found: total => (cached === total && found.length <= MAX_FOUND ? JSON.stringify(found) : undefined),
  }
}

/** Finds again what was found when the draft was made. */
export function repeatFindings({ project, findings, options }: ProjectReading, found: string, total: number): void {
  const problems: Found[] = JSON.parse(found)
  for (const [path, problem] of problems) findings.add(project.id, path, problem)
  options.progress({ project: project.id, done: total, total })
}

/** More findings are not recorded: each is some hundred bytes. */
const MAX_FOUND = 1000

type Found = [path: string, problem: Problem]
