import type { CustomFunction, Importer } from 'sass'
import { errorMessage } from '#platform/base/error.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'

/** A compiled sheet: its CSS, the variables of its modules with values as Sass writes them, and the files that it loads. */
export type CompiledSass = { css: string; variables: [name: string, value: string][]; loaded: string[] }

/** Gives a function that compiles one of these files, by path, and can load only the others. A problem ends a sentence. */
export async function openSass(
  files: ReadonlyMap<string, string>,
): Promise<(entry: string) => Result<CompiledSass, string>> {
  const { compileString, Exception, Logger, sassNull } = await import('sass')
  return entry => {
    const variables: CompiledSass['variables'] = []
    const take: CustomFunction<'sync'> = texts => {
      const [name = '', value = ''] = texts.map(text => text.assertString().text)
      variables.push([name, value])
      return sassNull
    }
    const loaded = new Map([[entry, { isModule: true }]])
    const importers = [importerOf(files, loaded)]
    const options = { importers, functions: { 'housestyle-take($name, $value)': take }, logger: Logger.silent }
    try {
      const { css } = compileString(`@use "${urlOf(entry)}";`, options)
      // Once it is known which files are modules, they are asked for the values that the entry has given them, the entry
      // last, since of two variables with one name the last counts.
      const modules = [...loaded].flatMap(([path, { isModule }]) => (isModule ? [path] : []))
      const uses = modules.map((path, at) => `@use "${urlOf(path)}" as m${at};`)
      compileString(['@use "sass:meta";', ...uses, ...[...modules.keys()].reverse().map(takeAll)].join('\n'), options)
      return ok({ css, variables, loaded: [...loaded.keys()].filter(path => path !== entry) })
    } catch (error) {
      const isOwn = error instanceof Exception
      return failed(isOwn ? `${error.sassMessage} ${quote(error.span.text)}` : errorMessage(error))
    }
  }
}

/** A loop over the variables of a module. */
function takeAll(module: number): string {
  const take = 'housestyle-take($name, meta.inspect($value))'
  return `@each $name, $value in meta.module-variables("m${module}") { $taken: ${take}; }`
}

/** Finds files as Sass does, and notes those that are found: a file is a module unless it is only imported. */
function importerOf(files: ReadonlyMap<string, string>, loaded: Map<string, { isModule: boolean }>): Importer<'sync'> {
  return {
    canonicalize: (url, { fromImport }) => {
      const candidates = sassCandidates(pathOf(url))
      const path = candidates.find(candidate => files.has(candidate)) ?? onlyFileAt(candidates, [...files.keys()])
      if (path === undefined) return null
      loaded.set(path, { isModule: loaded.get(path)?.isModule === true || !fromImport })
      return new URL(urlOf(path))
    },
    load: ({ href }) => {
      const path = pathOf(href)
      const syntax = SYNTAXES.find(({ end }) => path.endsWith(end))?.syntax ?? 'scss'
      return { contents: files.get(path) ?? '', syntax }
    },
  }
}

/** The file in another folder, such as `_sass`, from which settings of a project load; undefined if there are several. */
function onlyFileAt(candidates: readonly string[], paths: readonly string[]): string | undefined {
  const found = candidates.map(candidate => paths.filter(path => path.endsWith(`/${candidate}`)))
  return found.find(({ length }) => length === 1)?.[0]
}

const SYNTAXES = [
  { end: '.sass', syntax: 'indented' },
  { end: '.css', syntax: 'css' },
] as const

function urlOf(path: string): string {
  return `source:///${path.split('/').map(encodeURIComponent).join('/')}`
}

function pathOf(url: string): string {
  return decodeURIComponent(url.replace('source:///', ''))
}

/** The files that Sass tries for an address (sass-lang.com/documentation/at-rules/import#finding-the-file). */
export function sassCandidates(address: string): string[] {
  if (address.endsWith('.css')) return [address]
  const folder = address.slice(0, address.lastIndexOf('/') + 1)
  const name = address.slice(folder.length)
  const names = /\.s[ac]ss$/.test(name) ? [name] : [`${name}.scss`, `${name}.sass`]
  const inFolder = ['index.scss', 'index.sass'].flatMap(file => [`${address}/_${file}`, `${address}/${file}`])
  return [...names.flatMap(each => [folder + each, `${folder}_${each}`]), ...inFolder, `${address}.css`]
}
