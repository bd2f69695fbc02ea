import { groupsOf } from '#platform/base/text.ts'
import { filename, folderOf } from './file.ts'

/** The place of a file in the library: its path, without the folders of its format. */
export type PlaceOf = (path: string) => string

/**
 * Makes the function that gives the path of a file without the folders of its format: `files/logo/acme.svg` for
 * `files/logo/SVG/acme.svg`, if `files/logo/PNG` has PNGs. `RGB PNG` and `rgb-svg` are both `RGB`. A folder with words of
 * its own in files.yaml stays.
 */
export function openFormatFolders(paths: Iterable<string>, described: readonly { path: string }[] = []): PlaceOf {
  const joined = joinedFolders(paths, new Set(described.map(({ path }) => path)))
  if (joined.size === 0) return path => path
  return path => {
    const format = formatOf(path)
    const placeOf = (folder: string): string => {
      if (folder === '') return ''
      const known = joined.get(folder)
      const name = known?.format === format ? known.rest : filename(folder)
      return placeOf(folderOf(folder)) + (name && `${name}/`)
    }
    return placeOf(folderOf(path)) + filename(path)
  }
}

type FormatFolder = { format: string; rest: string }

/** The folders that differ from a sibling only in their format, by path. `rest` is the other words of their names. */
function joinedFolders(paths: Iterable<string>, described: ReadonlySet<string>): ReadonlyMap<string, FormatFolder> {
  const alike = new Map<string, Map<string, FormatFolder>>()
  const seen = new Set<string>()
  for (const path of paths) {
    const format = formatOf(path)
    for (let folder = folderOf(path); folder !== '' && !seen.has(`${format}/${folder}`); folder = folderOf(folder)) {
      seen.add(`${format}/${folder}`)
      const rest = described.has(folder) ? undefined : restOf(folder, format)
      if (rest === undefined) continue
      const key = `${folderOf(folder)}/${rest.toLowerCase()}`
      alike.set(key, (alike.get(key) ?? new Map()).set(folder, { format, rest }))
    }
  }
  const joined = new Map<string, FormatFolder>()
  for (const folders of alike.values()) {
    const [first] = folders.values()
    if (!first || !folders.values().some(({ format }) => format !== first.format)) continue
    for (const [folder, { format }] of folders) joined.set(folder, { format, rest: first.rest })
  }
  return joined
}

/** The name of a folder without the format at its end: `Logo` for `Logo (SVGs)` and `LogoSVG`, nothing for `03_SVG`. */
function restOf(folder: string, format: string): string | undefined {
  const [, start = '', last = ''] = groupsOf(LAST_WORD, filename(folder))
  const [, lower = '', capitals = ''] = groupsOf(/^(.*[\p{Ll}\d])(\p{Lu}+)$/u, last)
  const isFormat = (word: string) => [word, word.replace(/s$/i, '')].some(name => shortFormat(name) === format)
  const rest = isFormat(last) ? start : isFormat(capitals) ? start + lower : undefined
  return rest?.replace(/^\d{1,2}$/, '')
}

const LAST_WORD = /^(.*?)[^\p{L}\p{M}\p{N}]*([\p{L}\p{M}\p{N}]+)[^\p{L}\p{M}\p{N}]*$/u

/** The format of a file by its extension; empty without one. */
function formatOf(path: string): string {
  return shortFormat(groupsOf(/\.([a-z0-9]+)$/i, path)[1] ?? '')
}

/** The same short word for all names of a format: `jpg` for `JPEG`. */
function shortFormat(name: string): string {
  const lower = name.toLowerCase()
  return SHORT.get(lower) ?? lower
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['jpeg', 'jpg'],
  ['tiff', 'tif'],
  ['svgz', 'svg'],
])
