import { join } from 'node:path/posix'
import { moduleValue } from '#formats/json/module-value.ts'
import { tomlValue } from '#formats/toml/toml.ts'
import { yamlValue } from '#formats/yaml/document.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { field, parsedJson } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { firstLine, inFormats, wordTable } from '#platform/base/text.ts'
import { outlineOf } from './outline.ts'
import type { Entry } from './source.ts'

/** The settings of a site, and the folder that their paths begin at. */
export type Settings = {
  /** The path of their file in the source; empty if there is none. */
  path: string
  base: string
  data: unknown
  /** The text of the first of these settings that has one; in a module, wherever its path ends with the name. */
  text: (names: readonly string[]) => string
  /** All texts in lists or fields of this name, wherever they are. */
  texts: (name: string) => string[]
}

/** The data in a file with settings, front matter, or links of a table of contents as `nav`. Undefined if it has none. */
export async function dataOf({ path, read }: Entry): Promise<unknown> {
  const text = await read(MAX_BYTES).then(String, () => '')
  const reader = READERS.get(path.slice(path.lastIndexOf('.') + 1))
  return reader && attempt(() => reader(text))
}

const MAX_BYTES = 1 << 20

/** The readers of data, by format or by the name of a file that has no other. */
const READERS = wordTable<(text: string) => unknown>([
  [text => contentsOf(text, outlineOf(text, linksIn)), 'md'],
  [text => contentsOf(text, linksIn(text)), 'html'],
  [parsedJson, 'json'],
  [tomlValue, 'toml'],
  [yamlValue, 'yml yaml pages'],
  [text => ({ nav: text.split('\n').map(line => line.trim()) }), 'order'],
  [text => moduleValue(text, 'js'), 'js cjs mjs jsx'],
  [text => moduleValue(text, 'ts'), 'ts cts mts'],
  [text => moduleValue(text, 'tsx'), 'tsx'],
])

/** The front matter of a page, and the table of contents that it is. */
function contentsOf(text: string, nav: readonly object[]): unknown {
  const frontMatter = yamlValue(splitFrontMatter(text).yaml ?? '')
  return { ...Object(frontMatter), nav }
}

/** An entry of a table of contents: `[Logo](logo.md)`, `[[Logo]]`, or the address in `<a href="Logo_65540.html">`. */
const CONTENTS =
  /\[(?<label>[^[\]\n]+)\]\(<?(?<link>[^)>#\n]+)|<a href="(?<link>[^"#:]+\.html)"|\[\[(?:(?<label>[^[\]|\n]+)\|)?(?<page>[^[\]|\n]+)\]\]/g

function linksIn(text: string) {
  return Array.from(text.matchAll(CONTENTS), linkOf)
}

function linkOf({ groups: { label, link, page = '' } = {} }: RegExpExecArray) {
  return { label, link: link ?? page.trim().replaceAll(' ', '-') }
}

/** Settings from the data of their file. */
export function settingsOf(path: string, base: string, data: unknown): Settings {
  const isModule = MODULES.test(path)
  const values = new Map<string, string>()
  for (const [name, value] of textsOf(data, '', isModule)) if (!values.has(name)) values.set(name, value)
  const names = [...values.keys()].sort((a, b) => a.split('.').length - b.split('.').length)
  const text = (wanted: readonly string[]) =>
    wanted
      .flatMap(name => [
        name,
        ...(isModule && name !== 'name' ? names.filter(each => each.endsWith(`.${name}`) && !EDITING.test(each)) : []),
      ])
      .map(name => values.get(name))
      .find(Boolean) ?? ''
  const texts = (name: string) =>
    found(data, name)
      .flat()
      .filter(each => typeof each === 'string')
  return { path, base, data, text, texts }
}

const MODULES = inFormats('js, cjs, mjs, ts, cts, mts')
/** Settings for links to the source of pages. */
const EDITING = /edit|repo/i

/** The texts and numbers of data by their names with dots. */
export function textsOf(value: unknown, name: string, hasLists = false): [name: string, text: string][] {
  if (typeof value === 'string' || typeof value === 'number') return [[name, plainText(value)]]
  const isList = Array.isArray(value)
  const isRead = hasLists >= isList && name.length < MAX_NAME
  const fields: [string, unknown][] = isRead ? Object.entries(Object(value)) : []
  const nameOf = (key: string) => [name, key].slice(Number(name === '')).join('.')
  return fields.flatMap(([key, inner]) => textsOf(inner, isList ? name : nameOf(key), hasLists))
}

const MAX_NAME = 200

export function plainText(value: string | number): string {
  return firstLine([String(value)], MAX_NAME) ?? ''
}

/** The values of all fields of this name, those of outer objects first. */
export function found(data: unknown, name: string): unknown[] {
  return objectsIn(data).flatMap(value => (!Array.isArray(value) && name in value ? [field(value, name)] : []))
}

/** The lists in data, outer ones first. */
export function listsIn(data: unknown): unknown[] {
  return objectsIn(data).filter(value => Array.isArray(value))
}

function objectsIn(data: unknown): object[] {
  const waiting: unknown[] = [data]
  const objects: object[] = []
  for (const value of waiting) {
    if (waiting.length > MAX_VALUES || typeof value !== 'object' || value === null) continue
    objects.push(value)
    waiting.push(...Object.values(value).slice(0, MAX_VALUES))
  }
  return objects
}

const MAX_VALUES = 20_000

/** Whether a path is in a folder, which is empty for the root. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** A path from the folder of the settings. */
export function inFolder(base: string, path: string): string {
  return join(base, path)
    .split('/')
    .filter(name => name !== '' && name !== '.')
    .join('/')
}
