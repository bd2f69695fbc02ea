import { field, isObject, lazy } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { INDEXES } from './generators/generator.ts'
import { isPage, pathParts, withoutExtension } from './leave-out.ts'
import { found, type Settings } from './settings.ts'
import type { Entry } from './source.ts'

const names = lazy(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }))

/** The tag of a language, such as `de` or `pt-BR`, as settings write it; undefined if there is no such language. */
export function languageTag(text: string): string | undefined {
  const [tag = ''] = attempt(() => Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))) ?? []
  return attempt(() => names().of(tag)) && tag
}

/** The part of a path that names a language, and the path without it. */
type Translated = { lang: string; place: string }

/** Splits a path below a root at the name of one of these languages: `de/logo.md`, `i18n/de/…/current/logo.md`, `logo.de.md`. */
export function splitLanguage(path: string, root: string, languages: ReadonlySet<string>): Translated | undefined {
  const folders = path.split('/').slice(0, -1)
  const at = folders.findIndex(folder => languages.has(folder))
  const { [at]: folder = '' } = folders
  const above = folders.slice(0, Math.max(0, at)).map(name => `${name}/`)
  const below = path.split('/').slice(at + 1)
  const [format = '', suffix = '', ...stem] = path.split('.').reverse()
  const ways: readonly (Translated & { isPossible?: boolean })[] = [
    // Docusaurus has the folders of a plugin and of a version between a language and its pages.
    {
      lang: folder,
      place: below.slice(below[1] === 'current' ? 2 : 1).join('/'),
      isPossible: above.at(-1) === 'i18n/' && below.length > 1,
    },
    { lang: folder, place: below.join('/'), isPossible: `${root}/`.startsWith(above.join('')) },
    { lang: suffix, place: `${belowRoot(stem.reverse().join('.'), root)}.${format}` },
  ]
  return ways.find(({ lang, isPossible = true }) => isPossible && languages.has(lang))
}

/** A path without the folder of the pages that it is in. */
export function belowRoot(path: string, root: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

/** The languages that settings name and paths have, or those of which paths have pairs, such as `de/logo.md` and `logo.md`. */
export function sourceLanguages(entries: readonly Entry[], root: string, { data }: Settings): ReadonlySet<string> {
  const paths = entries.map(({ path }) => path).filter(isPage)
  const named = ['locales', 'languages'].flatMap(name => found(data, name)).flatMap(codesIn)
  const written = new Set(named.filter(code => languageTag(code) !== undefined))
  const inPaths = paths.map(path => splitLanguage(path, root, written)).filter(split => split !== undefined)
  if (written.size > 0) return new Set(inPaths.map(({ lang }) => lang))
  const parts = new Set(paths.flatMap(path => [...pathParts(withoutExtension(path))]))
  const codes = [...parts].filter(
    part => /^[a-z]{2}(?:[-_][A-Za-z]{2})?$/.test(part) && languageTag(part) !== undefined,
  )
  return withPairs(paths, root, new Set(codes))
}

/** The codes of languages in settings: items, their fields, or keys such as `/de/`. */
function codesIn(value: unknown): string[] {
  const items = [value].flat().flatMap(item => [item, ...CODES.map(name => field(item, name))])
  const keys = isObject(value) ? Object.keys(value) : []
  return [...items.filter(item => typeof item === 'string'), ...keys.map(key => key.replaceAll('/', ''))]
}

const CODES = ['locale', 'code', 'path']

/** Those of languages in paths that have pages of the same name in another language; an index alone proves nothing. */
function withPairs(paths: readonly string[], root: string, codes: ReadonlySet<string>): ReadonlySet<string> {
  const all = paths.map(path => splitLanguage(path, root, codes) ?? { lang: '', place: belowRoot(path, root) })
  const groups = [...Map.groupBy(all, ({ place }) => withoutExtension(place).toLowerCase())]
  const paired = groups.flatMap(([place, same]) => {
    const langs = new Set(same.map(({ lang }) => lang))
    const isIndex = INDEXES.has(place) && langs.has('')
    return langs.size > 1 && !isIndex ? [...langs] : []
  })
  return new Set(paired.filter(Boolean))
}
