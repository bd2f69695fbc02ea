import { isObject, lazy } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { isPage, withoutExtension } from './leave-out.ts'
import { found, type Settings } from './settings.ts'
import type { Entry } from './source.ts'

const names = lazy(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }))

/** The tag of a language, such as `de` or `pt-BR`, as settings write it; undefined if there is no such language. */
export function languageTag(text: string): string | undefined {
  const tag = attempt(() => Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))[0])
  return tag !== undefined && /^[a-z]{2,3}(?:-|$)/.test(tag) && attempt(() => names().of(tag)) ? tag : undefined
}

/** The part of a path that names a language, and the path without it. */
type Translated = { lang: string; place: string }

/** Splits a path below a root at the name of one of these languages: `de/logo.md`, `i18n/de/…/current/logo.md`, `logo.de.md`. */
export function splitLanguage(path: string, root: string, languages: ReadonlySet<string>): Translated | undefined {
  const i18n = /^(?:.*\/)?i18n\/([^/]+)\/[^/]+\/(?:current\/)?(.+)$/s.exec(path)
  if (i18n?.[1] && languages.has(i18n[1])) return { lang: i18n[1], place: i18n[2] ?? '' }
  const folders = path.split('/')
  const at = folders.slice(0, -1).findIndex(folder => languages.has(folder))
  const above = folders.slice(0, Math.max(0, at)).join('/')
  if (at !== -1 && (above === root || root.startsWith(above === '' ? '' : `${above}/`)))
    return { lang: folders[at] ?? '', place: folders.slice(at + 1).join('/') }
  const [, stem = '', lang = '', format = ''] = groupsOf(/^(.*)\.([A-Za-z-]{2,10})(\.\w+)$/, path)
  return languages.has(lang) ? { lang, place: belowRoot(stem, root) + format } : undefined
}

/** A path without the folder of the pages that it is in. */
export function belowRoot(path: string, root: string): string {
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

/** The languages that settings name and paths have, or those of which paths have pairs, such as `de/logo.md` and `logo.md`. */
export function sourceLanguages(entries: readonly Entry[], root: string, { data }: Settings): ReadonlySet<string> {
  const paths = entries.map(({ path }) => path).filter(isPage)
  const named = ['locales', 'languages'].flatMap(name => found(data, name)).flatMap(codesIn)
  const written = new Set(named.filter(code => languageTag(code) !== undefined))
  const used = (codes: ReadonlySet<string>) =>
    new Set(paths.flatMap(path => splitLanguage(path, root, codes)?.lang ?? []))
  if (written.size > 0) return used(written)
  const parts = paths.flatMap(path => [
    ...path.split('/').slice(0, -1),
    groupsOf(/\.([a-z]{2}(?:-[A-Za-z]{2})?)\.\w+$/, path)[1] ?? '',
  ])
  const codes = new Set(parts.filter(part => /^[a-z]{2}(?:[-_][A-Za-z]{2})?$/.test(part) && languageTag(part)))
  return codes.size === 0 ? codes : withPairs(paths, root, codes)
}

/** The codes of languages in settings: items, their fields, or keys such as `/de/`. */
function codesIn(value: unknown): string[] {
  if (Array.isArray(value))
    return value
      .flatMap(each => (isObject(each) ? [each.locale, each.code, each.path] : each))
      .filter(each => typeof each === 'string')
  return isObject(value) ? Object.keys(value).map(key => key.replaceAll('/', '')) : []
}

/** Those of languages in paths that have pages of the same name in another language; an index alone proves nothing. */
function withPairs(paths: readonly string[], root: string, codes: ReadonlySet<string>): ReadonlySet<string> {
  const all = paths.map(path => splitLanguage(path, root, codes) ?? { lang: '', place: belowRoot(path, root) })
  const groups = [...Map.groupBy(all, ({ place }) => withoutExtension(place).toLowerCase())]
  const paired = groups.flatMap(([place, same]) => {
    const langs = new Set(same.map(({ lang }) => lang))
    const isIndex = /^(?:_?index|readme)$/.test(place) && langs.has('')
    return langs.size > 1 && !isIndex ? [...langs] : []
  })
  return new Set(paired.filter(Boolean))
}
