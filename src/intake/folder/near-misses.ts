import { closest, distance } from 'fastest-levenshtein'
import { type Problem, STYLE_LISTS, type StyleList } from '../../brand/finding.ts'
import { problem } from './findings.ts'
import { isIgnored } from './walk.ts'

/**
 * Reports each unread name in a brand folder or project that resembles a name that is read: `project.yml`, `Pages`, or
 * `colors.yaml` outside `styles/`.
 *
 * @param read the names that are read here
 */
export function nearMisses(names: readonly string[], read: readonly string[]): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const name of names) {
    const meant = read.includes(name) || isIgnored(name) ? undefined : meantBy(name)
    if (meant === undefined) continue
    const paths = names.includes('styles') ? [] : listsIn(meant)
    const found = problem('not-read', `is not read; did you mean ${meant}?`)
    problems.set(name, paths.length > 0 ? { ...found, breaks: { paths } } : found)
  }
  return problems
}

/** The style lists at or below a project path. */
function listsIn(path: string): StyleList[] {
  return STYLE_LISTS.filter(list => list === path || path === 'styles/')
}

/** Reports each unread name in `styles/`. A misspelt name explains why a list is missing. */
export function unreadStyleFiles(names: readonly string[]): Map<string, Problem> {
  const read = ['colors.yaml', 'types.yaml']
  const others = names.filter(name => !read.includes(name) && !isIgnored(name))
  const near = nearMisses(others, read)
  const missing = read.filter(file => !names.includes(file) && !near.values().some(each => breaksList(each, file)))
  const message =
    'is not read: only colors.yaml and types.yaml belong in styles/; move it to files/ or pages/, or remove it'
  return new Map(
    others.map(name => {
      const found = near.get(name)
      const list = STYLE_LISTS.find(path => found?.breaks?.paths.includes(path))
      if (!found && isYaml(name) && missing.length > 0) return [name, notRead(missing)]
      if (!found || !list) return [name, found ?? problem('not-read', message)]
      const file = list.slice('styles/'.length)
      if (names.includes(file)) return [name, problem('not-read', found.message)]
      return [name, { ...found, message: `is not read, so the project has no ${file}: rename it to ${file}` }]
    }),
  )
}

function breaksList({ breaks }: Problem, file: string): boolean {
  return breaks?.paths.includes(`styles/${file}`) ?? false
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/i.test(name)
}

/** The problem with an unread file while lists of styles are missing. */
function notRead(missing: readonly string[]): Problem {
  const files = missing.join(' or ')
  const message = `is not read, and the project has no ${files}: rename it to ${files}, or move it to files/ or pages/`
  return { ...problem('not-read', message), breaks: { paths: missing.map(file => `styles/${file}`) } }
}

function meantBy(name: string): string | undefined {
  const folder = FOLDERS[name.toLowerCase().replace(/s$/, '')]
  if (folder !== undefined) return folder
  const stem = /^(.{2,30})\.ya?ml$/i.exec(name)?.[1]?.toLowerCase()
  if (stem === undefined) return undefined
  const nearest = closest(stem, Object.keys(PATHS))
  return distance(stem, nearest) <= nearest.length / 3 ? PATHS[nearest] : undefined
}

/** The path of each YAML file in a project, keyed by name without extension. */
const PATHS: Readonly<Record<string, string>> = {
  project: 'project.yaml',
  colors: 'styles/colors.yaml',
  types: 'styles/types.yaml',
  files: 'files/files.yaml',
  workspace: 'workspace.yaml in the brand folder itself',
}

const FOLDERS: Readonly<Record<string, string>> = { page: 'pages/', style: 'styles/', file: 'files/' }
