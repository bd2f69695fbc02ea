import { folderOf } from './file.ts'

/** The place of a file in the library: its path, without the folders of its format. */
export type PlaceOf = (path: string) => string

/**
 * Makes the function that gives the path of a file without the folders of its format: `files/logo/acme.svg` for
 * `files/logo/SVG/acme.svg`, if `files/logo/PNG` has other formats. `RGB PNG` and `rgb-svg` are both `RGB`. A folder with
 * words of its own in files.yaml stays.
 */
export function openFormatFolders(paths: Iterable<string>, described: readonly { path: string }[] = []): PlaceOf {
  const joined = joinedFolders(paths, new Set(described.map(({ path }) => path)))
  if (joined.size === 0) return path => path
  return path => {
    const format = formatOf(path)
    let folder = ''
    const kept = path.split('/').flatMap(name => {
      folder = folder === '' ? name : `${folder}/${name}`
      const known = joined.get(folder)
      if (!known || known.format !== format) return [name]
      return known.rest === '' ? [] : [known.rest]
    })
    return kept.join('/')
  }
}

/** The folders that differ from a sibling only in their format, by path. `rest` is the other words of their names. */
function joinedFolders(paths: Iterable<string>, described: ReadonlySet<string>): ReadonlyMap<string, FormatFolder> {
  const alike = new Map<string, Map<string, FormatFolder>>()
  const seen = new Set<string>()
  for (const path of paths)
    for (let folder = folderOf(path); folder !== '' && !seen.has(folder); folder = folderOf(folder)) {
      seen.add(folder)
      const known = described.has(folder) ? undefined : formatFolder(folder)
      if (!known) continue
      const key = `${folderOf(folder)}/${known.rest.toLowerCase()}`
      alike.set(key, (alike.get(key) ?? new Map()).set(folder, known))
    }
  const joined = new Map<string, FormatFolder>()
  for (const folders of alike.values()) {
    const [first] = folders.values()
    if (!first || !folders.values().some(({ format }) => format !== first.format)) continue
    for (const [folder, { format }] of folders) joined.set(folder, { format, rest: first.rest })
  }
  return joined
}

type FormatFolder = { format: string; rest: string }

/** A folder whose name is a format, or ends in one: `SVG`, `03_EPS`, `Logo (PNGs)`, `LogoSVG`. */
function formatFolder(folder: string): FormatFolder | undefined {
  const [, start = '', last = ''] = LAST_WORD.exec(folder.slice(folder.lastIndexOf('/') + 1)) ?? []
  const [, lower = '', capitals = ''] = /^(.*[\p{Ll}\d])(\p{Lu}+)$/u.exec(last) ?? []
  for (const [rest, word] of [
    [start, last],
    [start, last.replace(/s$/i, '')],
    [start + lower, capitals],
  ] as const) {
    const format = FORMATS.get(word.toLowerCase())
    if (format !== undefined) return { format, rest: /^\d{1,2}$/.test(rest) ? '' : rest }
  }
  return undefined
}

const LAST_WORD = /^(.*?)[^\p{L}\p{M}\p{N}]*([\p{L}\p{M}\p{N}]+)[^\p{L}\p{M}\p{N}]*$/u

function formatOf(path: string): string | undefined {
  return FORMATS.get(/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '')
}

/** Formats by the names of folders and extensions. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ...'ai apng avif bmp cdr docx dwg dxf emf eot eps gif heic ico indd jpg mov mp3 mp4 otf pdf png potx pptx psd sketch svg'
    .concat(' tif ttf wav webm webp wmf woff woff2')
    .split(' ')
    .map(word => [word, word] as const),
  ['jpeg', 'jpg'],
  ['svgz', 'svg'],
  ['tiff', 'tif'],
])
