import { closest, distance } from 'fastest-levenshtein'
import type { Problem } from '../../brand/finding.ts'
import { problem } from './findings.ts'
import { isIgnored } from './walk.ts'

/**
 * A problem for each name in a brand folder or a project that is not read and is close to one that is: `project.yml`,
 * `Pages`, `colors.yaml` outside `styles/`. Otherwise such a mistake would go unnoticed.
 *
 * @param read the names that are read here
 */
export function nearMisses(names: readonly string[], read: readonly string[]): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const name of names) {
    const meant = read.includes(name) || isIgnored(name) ? undefined : meantBy(name)
    if (meant !== undefined) problems.set(name, problem('not-read', `is not read; did you mean ${meant}?`))
  }
  return problems
}

/** A problem for each name in `styles/` that is not read. */
export function unreadInStyles(names: readonly string[]): Map<string, Problem> {
  const read = ['colors.yaml', 'types.yaml']
  const others = names.filter(name => !read.includes(name) && !isIgnored(name))
  const near = nearMisses(others, read)
  const message = 'is not read: styles/ has colors.yaml and types.yaml; move it to files/ or pages/, or remove it'
  return new Map(others.map(name => [name, near.get(name) ?? problem('not-read', message)]))
}

function meantBy(name: string): string | undefined {
  const folder = FOLDERS[name.toLowerCase().replace(/s$/, '')]
  if (folder !== undefined) return folder
  const stem = /^(.{2,30})\.ya?ml$/i.exec(name)?.[1]?.toLowerCase()
  if (stem === undefined) return undefined
  const nearest = closest(stem, Object.keys(HOMES))
  return distance(stem, nearest) <= nearest.length / 3 ? HOMES[nearest] : undefined
}

/** Where each YAML file stands in a project, by its name without extension. */
const HOMES: Readonly<Record<string, string>> = {
  project: 'project.yaml',
  colors: 'styles/colors.yaml',
  types: 'styles/types.yaml',
  files: 'files/files.yaml',
  workspace: 'workspace.yaml in the brand folder itself',
}

const FOLDERS: Readonly<Record<string, string>> = { page: 'pages/', style: 'styles/', file: 'files/' }
