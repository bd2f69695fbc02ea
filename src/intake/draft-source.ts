import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import type { Problem } from '../brand/finding.ts'
import { currentFingerprintOf } from './folder/file-version.ts'
import type { WalkedFile } from './folder/walk.ts'
import type { DraftHead, DraftSource, ProjectReading, ReadCache } from './reading.ts'
import type { WrittenStyles } from './styles/styles.ts'

/* Identifies the inputs and findings of a draft, so that a later import of unchanged inputs can reuse the draft. */

/** The pages and files of a project before they are read; `total` counts both. */
export type WalkedProject = {
  pages: WalkedFile[]
  files: WalkedFile[]
  total: number
  filesYaml: WalkedPath
  leftOut: string[]
}

/** A path, and the file found there during the walk. */
type WalkedPath = { path: string; file?: WalkedFile }

/**
 * Fingerprints everything that a draft and its findings depend on: the content of the YAML files, and the versions of
 * all pages and files. Undefined if one of them has only just changed.
 */
export function draftSource(
  { project, options }: ProjectReading,
  head: DraftHead,
  styles: WrittenStyles,
  { pages, files, filesYaml, leftOut }: WalkedProject,
): DraftSource | undefined {
  const walked = [...pages, ...files]
  const all = filesYaml.file ? [...walked, filesYaml.file] : walked
  if (all.some(({ fingerprint }) => fingerprint === undefined)) return undefined
  const versions = all.map(({ path, fingerprint }) => `${path}\n${fingerprint}\n`).join('')
  const { caps, isForExport = false } = options
  const fingerprint = hash('sha256', serialize([head, project.file, styles, caps, isForExport, versions, leftOut]))
  return { folder: project.folder.path, files: walked.map(({ path }) => path), fingerprint }
}

/** Whether the file at a path is still the one found during the walk. */
export function isUnchanged(root: string, { path, file }: WalkedPath): boolean {
  try {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
    return (stat && currentFingerprintOf(stat)) === file?.fingerprint
  } catch {
    return false
  }
}

/**
 * Records the findings while a draft is made. `found` serializes them for `repeatFindings`, but returns undefined
 * unless all `total` pages and files are in the read cache, because findings could then differ next time.
 */
export function recordFindings(reading: ProjectReading): {
  reading: ProjectReading
  found: (total: number) => string | undefined
} {
  const { findings, options } = reading
  const recorded: Found[] = []
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
    if (recorded.length <= MAX_FOUND) for (const problem of problems) recorded.push([path, problem])
  }
  return {
    reading: { ...reading, findings: { ...findings, add }, options: { ...options, readCache } },
    found: total => (cached === total && recorded.length <= MAX_FOUND ? JSON.stringify(recorded) : undefined),
  }
}

/** Repeats the findings that were recorded when the draft was made. */
export function repeatFindings({ project, findings, options }: ProjectReading, recorded: string, total: number): void {
  const problems: Found[] = JSON.parse(recorded)
  for (const [path, problem] of problems) findings.add(project.id, path, problem)
  options.progress({ project: project.id, done: total, total })
}

/** A draft with more findings is not cached; each takes a few hundred bytes. */
const MAX_FOUND = 1000

type Found = [path: string, problem: Problem]
