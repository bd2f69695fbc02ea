import { basename } from 'node:path/posix'
import { closest, distance } from 'fastest-levenshtein'
import { EDITED_FILES } from '#brand/edit-link.ts'
import { type Problem, STYLE_LISTS, type StyleList } from '#brand/finding.ts'
import { groupsOf, wordTable } from '#platform/base/text.ts'
import { problem } from './findings.ts'
import { isIgnored } from './walk.ts'

/**
 * Reports each unread name in a brand folder or project that resembles a name that is read: `project.yml`, `Pages`, or
 * `files.yaml` outside `files/`. Names like a list of styles, such as `colours.yaml`, are for `misplacedList`.
 *
 * @param read the names that are read here
 */
export function nearMisses(names: readonly string[], read: readonly string[]): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const name of names) {
    const meant = read.includes(name) || isIgnored(name) ? undefined : meantBy(name)
    if (meant === undefined || listMeant(name)) continue
    const unread = notRead(`; did you mean ${meant}?`)
    // Both lists of styles are in that folder.
    problems.set(name, meant === 'styles/' ? { ...unread, breaks: { paths: [...STYLE_LISTS] } } : unread)
  }
  return problems
}

/** The list of styles that the name of a file resembles: `styles/colors.yaml` for `colours.yml`. */
export function listMeant(name: string): StyleList | undefined {
  const meant = isIgnored(name) ? undefined : meantBy(name)
  return STYLE_LISTS.find(list => list === meant)
}

/**
 * The problem with a list of styles in a wrong place; only a warning if the list also `exists` in the right one.
 *
 * @param path the wrong place
 * @param right the right place, in the form of `path`
 */
export function misplacedList(path: string, list: StyleList, exists: boolean, right: string = list): Problem {
  if (exists) return notRead(`; did you mean ${right}?`)
  const verb = path.startsWith('styles/') ? 'rename' : 'move'
  const what = list === 'styles/colors.yaml' ? 'colours' : 'type styles'
  const message = `is not read, so the project has no ${what}: ${verb} it to ${right}`
  return { ...problem('styles-misplaced', message), breaks: { paths: [list, path] } }
}

/** Reports each unread name in `styles/`. A misspelt name explains why a list is missing. */
export function unreadStyleFiles(names: readonly string[]): Map<string, Problem> {
  const listNames: readonly string[] = STYLE_LISTS.map(list => basename(list))
  const unreadNames = names.filter(name => !listNames.includes(name) && !isIgnored(name))
  const missingLists = STYLE_LISTS.filter(list => !names.includes(basename(list)))
  const misspeltLists = new Set(unreadNames.map(listMeant))
  const unexplainedLists = missingLists.filter(list => !misspeltLists.has(list))
  const problemWith = (name: string): Problem => {
    const list = listMeant(name)
    if (list) return misplacedList(`styles/${name}`, list, !missingLists.includes(list))
    if (yamlStem(name) !== undefined && unexplainedLists.length > 0) return notAList(unexplainedLists)
    // The missing lists may be in a folder.
    const isFolder = !name.includes('.')
    const breaks = { paths: isFolder ? unexplainedLists : [] }
    return nearMisses([name], listNames).get(name) ?? { ...notRead(ONLY_LISTS), breaks }
  }
  return new Map(unreadNames.map(name => [name, problemWith(name)]))
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

/**
 * The path that a name in any case probably means: `pages/` for `Page`, `project.yaml` for `projct.yml` or
 * `project.yaml.txt`. Undefined if it resembles no name. A correct name means its own path.
 */
function meantBy(name: string): string | undefined {
  const folder = FOLDERS.get(name.toLowerCase())
  if (folder !== undefined) return folder
  const stem = yamlStem(name)
  if (stem === undefined) return undefined
  const nearest = closest(stem, Object.keys(PATHS))
  const isNear = distance(stem, nearest) <= nearest.length * MAX_DIFFERENCE || inOrder(stem) === inOrder(nearest)
  return isNear ? PATHS[nearest] : undefined
}

/** The name of a YAML file in lower case, without its extension: `files` for `Files.yml.txt`; undefined for other files. */
export function yamlStem(name: string): string | undefined {
  const [, stem] = groupsOf(/^(.+?)\.ya?ml(?:\.txt)?$/, name.toLowerCase())
  return stem
}

/** The share of letters that may differ: two of the six of `colors`. */
const MAX_DIFFERENCE = 1 / 3

/** The letters of a name in alphabetical order: the same if letters were swapped. */
function inOrder(name: string): string {
  return [...name].sort().join('')
}

/** The path of each YAML file in a project, keyed by name without extension. */
const PATHS: Readonly<Record<string, string>> = {
  ...EDITED_FILES,
  workspace: 'workspace.yaml in the brand folder itself',
}

const FOLDERS = wordTable([
  ['pages/', 'page pages'],
  ['styles/', 'style styles'],
  ['files/', 'file files'],
])
