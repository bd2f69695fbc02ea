import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Finding } from '../../../brand/finding.ts'

/** A path in a folder that begins as the folder was typed, so that a terminal opens it. */
export function typedPath(path: string, folder: string): string {
  const typed = folder.replace(/\/+$/, '')
  const prefix = folder !== '' && typed === '' ? '/' : typed
  return below(prefix === '.' ? '' : prefix, path)
}

/**
 * Findings with paths from the root of the repository that the folder stands in, as annotations have them. The paths of
 * a folder without a repository stay.
 */
export function relativeToRepository(findings: readonly Finding[], folder: string): Finding[] {
  const real = realpathSync(folder)
  const root = repositoryOf(real)
  const prefix = root === undefined ? '' : relative(root, real).replaceAll(sep, '/')
  return findings.map(finding => ({ ...finding, path: below(prefix, finding.path) }))
}

function below(prefix: string, path: string): string {
  if (prefix === '') return path
  if (path === '.') return prefix
  return prefix.endsWith('/') ? prefix + path : `${prefix}/${path}`
}

/** The nearest folder upwards that has `.git`, a folder or, in a worktree, a file. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}
