import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Finding } from '../../../brand/finding.ts'

/** A path that begins with the folder as the user typed it, so that terminals can open it. */
export function typedPath(path: string, folder: string): string {
  const typed = folder.replace(/\/+$/, '')
  const prefix = folder !== '' && typed === '' ? '/' : typed
  return below(prefix === '.' ? '' : prefix, path)
}

/**
 * Findings with paths relative to the root of the folder's repository, as annotations need them. Without a repository, the
 * paths do not change.
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

/** The nearest parent folder with `.git`, which is a file in a worktree. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}
