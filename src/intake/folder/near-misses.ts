import { closest, distance } from 'fastest-levenshtein'
import { EDITED_FILES } from '#brand/edit-link.ts'
import { type Problem, STYLE_LISTS, type StyleList } from '#brand/finding.ts'
import { problem } from './findings.ts'
import { isIgnored } from './walk.ts'

/**
 * Reports each unread name in a brand folder or project that resembles a name that is read: `project.yml`, `Pages`, or
 * `files.yaml` outside `files/`. Leaves out lists of styles. A misspelt `styles/` breaks both lists.
 *
 * @param read the names that are read here
 */
export function nearMisses(names: readonly string[], read: readonly string[]): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const name of names) {
    const meant = read.includes(name) || isIgnored(name) ? undefined : meantBy(name)
    if (meant === undefined || listMeant(name)) continue
    const unread = notRead(`; did you mean ${meant}?`)
    problems.set(name, meant === 'styles/' ? { ...unread, breaks: { paths: [...STYLE_LISTS] } } : unread)
  }
  return problems
}

/** The list of styles that the name of a file resembles. */
export function listMeant(name: string): StyleList | undefined {
  const meant = isIgnored(name) ? undefined : meantBy(name)
  return STYLE_LISTS.find(list => list === meant)
}

/** The problem with a list of styles at `path` instead of the `right` one; only a warning if that list exists. */
export function misplacedList(path: string, list: StyleList, exists: boolean, right: string = list): Problem {
  if (exists) return notRead(`; did you mean ${right}?`)
  const verb = path.startsWith('styles/') ? 'rename' : 'move'
  const what = list === 'styles/colors.yaml' ? 'colours' : 'type styles'
  const message = `is not read, so the project has no ${what}: ${verb} it to ${right}`
  return { ...problem('styles-misplaced', message), breaks: { paths: [list, path] } }
}

/** Reports each unread name in `styles/`. A misspelt name explains why a list is missing. */
export function unreadStyleFiles(names: readonly string[]): Map<string, Problem> {
  const read: readonly string[] = STYLE_LISTS.map(list => list.slice('styles/'.length))
  const others = names.filter(name => !read.includes(name) && !isIgnored(name))
  const meant = new Set(others.map(listMeant))
  const missing = STYLE_LISTS.filter(list => !names.includes(list.slice('styles/'.length)))
  const unexplained = missing.filter(list => !meant.has(list))
  return new Map(
    others.map(name => {
      const list = listMeant(name)
      if (list) return [name, misplacedList(`styles/${name}`, list, !missing.includes(list))]
      if (/\.ya?ml(?:\.txt)?$/i.test(name) && unexplained.length > 0) return [name, notAList(unexplained)]
      const isFolder = !name.includes('.')
      const breaks = { paths: isFolder ? unexplained : [] }
      return [name, nearMisses([name], read).get(name) ?? { ...notRead(ONLY_LISTS), breaks }]
    }),
  )
}

const ONLY_LISTS = ': only colors.yaml and types.yaml belong in styles/; move it to files/ or pages/, or remove it'

/** The problem with an unread YAML file while lists of styles are missing. */
function notAList(missing: readonly StyleList[]): Problem {
  const files = missing.join(' or ')
  const message = `is not read, and the project has no ${files}: rename it to ${files}, or move it to files/ or pages/`
  return { ...problem('not-read', message), breaks: { paths: [...missing] } }
}

function notRead(rest: string): Problem {
  return problem('not-read', `is not read${rest}`)
}

function meantBy(name: string): string | undefined {
  const folder = FOLDERS.get(name.toLowerCase().replace(/s$/, ''))
  if (folder !== undefined) return folder
  const stem = /^(.{2,30}?)\.ya?ml(?:\.txt)?$/i.exec(name)?.[1]?.toLowerCase()
  if (stem === undefined) return undefined
  const nearest = closest(stem, Object.keys(PATHS))
  const isNear = distance(stem, nearest) <= nearest.length / 3 || inOrder(stem) === inOrder(nearest)
  return isNear ? PATHS[nearest] : undefined
}

/** The letters of a name in alphabetical order: the same if letters were swapped. */
function inOrder(name: string): string {
  return [...name].sort().join('')
}

/** The path of each YAML file in a project, keyed by name without extension. */
const PATHS: Readonly<Record<string, string>> = {
  ...EDITED_FILES,
  workspace: 'workspace.yaml in the brand folder itself',
}

const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['page', 'pages/'],
  ['style', 'styles/'],
  ['file', 'files/'],
])
