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
    /** The path of a folder with `/` at its end, without the folders of this format. */
    const folderPath = (folder: string): string => {
      if (folder === '') return ''
      const formatFolder = joined.get(folder)
      const name = formatFolder?.format === format ? formatFolder.rest : filename(folder)
      return folderPath(folderOf(folder)) + (name && `${name}/`)
    }
    return folderPath(folderOf(path)) + filename(path)
  }
}

type FormatFolder = { format: string; rest: string }

/** The folders that differ from a sibling only in their format, by path. `rest` is the other words of their names. */
function joinedFolders(paths: Iterable<string>, described: ReadonlySet<string>): ReadonlyMap<string, FormatFolder> {
  /** The folders with a format in their names, by the folder around them and their other words. */
  const siblings = new Map<string, Map<string, FormatFolder>>()
  const seen = new Set<string>()
  for (const path of paths) {
    const format = formatOf(path)
    // All folders around a file, up to one that a file of this format was in already.
    for (let folder = folderOf(path); folder !== '' && !seen.has(`${format}/${folder}`); folder = folderOf(folder)) {
      seen.add(`${format}/${folder}`)
      const rest = described.has(folder) ? undefined : restOf(folder, format)
      if (rest === undefined) continue
      const key = `${folderOf(folder)}/${rest.toLowerCase()}`
      siblings.set(key, (siblings.get(key) ?? new Map()).set(folder, { format, rest }))
    }
  }
  const joined = new Map<string, FormatFolder>()
  for (const folders of siblings.values()) {
    const [first] = folders.values()
    if (!first || !folders.values().some(({ format }) => format !== first.format)) continue
    for (const [folder, { format }] of folders) joined.set(folder, { format, rest: first.rest })
  }
  return joined
}

/**
 * The name of a folder without the format at its end: `Logo` for `Logo (SVGs)` and `LogoSVG`, empty for `03_SVG`;
 * undefined if it does not end with the format.
 */
function restOf(folder: string, format: string): string | undefined {
  const [, start = '', lastWord = ''] = groupsOf(LAST_WORD, filename(folder))
  const [, lowerCase = '', capitals = ''] = groupsOf(FINAL_CAPITALS, lastWord)
  const isFormat = (word: string) => [word, word.replace(/s$/i, '')].some(name => shortFormat(name) === format)
  const rest = isFormat(lastWord) ? start : isFormat(capitals) ? start + lowerCase : undefined
  return rest?.replace(/^\d{1,2}$/, '')
}

/** `Logo (` and `SVGs` of `Logo (SVGs)`, without the signs between and after them. */
const LAST_WORD = /^(.*?)[^\p{L}\p{M}\p{N}]*([\p{L}\p{M}\p{N}]+)[^\p{L}\p{M}\p{N}]*$/u
/** `Logo` and `SVG` of `LogoSVG`. */
const FINAL_CAPITALS = /^(.*[\p{Ll}\d])(\p{Lu}+)$/u

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
