import { extname } from 'node:path/posix'
import { filename } from '#brand/file.ts'
import { addNote, type Notes } from '#brand/tokens/found-styles.ts'
import type { ScriptKind } from '#formats/json/expression.ts'
import { type Json, jsonOf, parseJson } from '#formats/json/json.ts'
import { CALLS, ITEMS, moduleValue } from '#formats/json/module-value.ts'
import { tomlValue } from '#formats/toml/toml.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { splitFrontMatter, splitOtherFormat } from '#intake/pages/front-matter.ts'
import { readYaml } from '#intake/yaml/yaml.ts'
import { isObject } from '#platform/base/object.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { wordTable } from '#platform/base/text.ts'

/** The data in a file, above a page, or in a module, which is never run. */
export type FileData = { value: Json; form: 'json' | 'yaml' | 'other' | 'component' | 'page' }

/** Reads the data in a file, by the format in its name or of its text; undefined for other files. The problem ends a sentence. */
export function readData(path: string, text: string, notes: Notes): Result<FileData, string> | undefined {
  const read = READERS.get(extname(path).slice(1).toLowerCase()) ?? jsonData
  return read(text, path, notes)
}

type Reader = (text: string, path: string, notes: Notes) => Result<FileData, string> | undefined

const READERS = wordTable<Reader>([
  [() => failed('is JSON5; write it as JSON, and try again'), 'json5'],
  [(text, path, notes) => jsonData(withoutComments(withoutComments(text)), path, notes), 'jsonc'],
  [text => ok({ value: otherValue(() => tomlValue(text)), form: 'other' }), 'toml'],
  [text => ok({ value: otherValue(() => moduleData(text, 'js')), form: 'other' }), 'js cjs mjs'],
  [text => ok({ value: otherValue(() => moduleData(text, 'ts')), form: 'other' }), 'ts cts mts'],
  [text => ok({ value: otherValue(() => moduleData(text, 'js')), form: 'component' }), 'jsx'],
  [text => ok({ value: otherValue(() => moduleData(text, 'tsx')), form: 'component' }), 'tsx'],
  [yamlData, 'yaml yml'],
  [pageData, 'md mdx markdown htm html'],
])

function jsonData(text: string, _path: string, notes: Notes): Result<FileData, string> | undefined {
  if (!['{', '['].includes(text.trimStart().charAt(0))) return undefined
  const parsed = parseJson(text, key => addNote(notes, key, 'twice'))
  return parsed.ok ? ok({ value: jsonOf(parsed.value), form: 'json' }) : parsed
}

/** The data above the text of a page; that of DESIGN.md is the file. */
function pageData(text: string, path: string): Result<FileData, string> {
  const toml = splitOtherFormat(text)
  if (toml?.format === 'TOML') return ok({ value: otherValue(() => tomlValue(toml.yaml)), form: 'page' })
  const yaml = yamlData(splitFrontMatter(text).yaml ?? '')
  if (filename(path) === 'DESIGN.md') return yaml
  return ok({ value: yaml.ok ? yaml.value.value : null, form: 'page' })
}

function yamlData(yaml: string): Result<FileData, string> {
  const { root, problems } = readYaml(yaml)
  const why = problems[0]?.message
  if (why !== undefined) return failed(`is not YAML that can be read: ${why}`)
  return ok({ value: root ? jsonOfYaml(root) : null, form: 'yaml' })
}

/** A value is a number only if that loses no character, so that `012345` keeps its zero. */
function jsonOfYaml(node: YamlNode): Json {
  if (node.kind === 'text')
    return String(Number(node.text)) === node.text && Number.isFinite(Number(node.text)) ? Number(node.text) : node.text
  if (node.kind === 'empty') return null
  if (node.kind === 'list') return node.items.map(jsonOfYaml)
  return new Map(node.entries.map(({ key, value }) => [key, jsonOfYaml(value)]))
}

function moduleData(text: string, kind: ScriptKind): unknown {
  const value = moduleValue(text, kind)
  if (!isObject(value)) return value
  const { [CALLS]: _calls, [ITEMS]: items, ...named } = value
  return items ?? named
}

/** The value that a parser gives, as JSON; null if the text is damaged. */
function otherValue(read: () => unknown): Json {
  const json = attempt(() => parseJson(JSON.stringify(read())))
  return json?.ok ? jsonOf(json.value) : null
}

/** JSON with comments without them, or in a second run, without commas before a closing bracket; places stay. */
function withoutComments(text: string): string {
  return text.replace(COMMENT, (part, string?: string) => string ?? part.replace(/\S/g, ' '))
}

const COMMENT = /("[^"\\]*(?:\\.[^"\\]*)*"?)|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s*[}\]])/g
