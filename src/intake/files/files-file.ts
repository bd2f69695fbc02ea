import { keysOf } from '#brand/fields.ts'
import {
  type BrandFile,
  FILE_FIELDS,
  FILE_NOTE_KEYS,
  FILE_OVERRIDE_KEYS,
  type FileNotes,
  type FileOverrides,
  FOLDER_FIELDS,
  type FolderNotes,
} from '#brand/file.ts'
import type { Problem, RuleId } from '#brand/finding.ts'
import type { YamlEntry, YamlNode } from '#formats/yaml/parse-yaml.ts'
import { pick, withoutUndefined } from '#platform/base/object.ts'
import { compareStrings, quote, withoutLastSlash } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import { foldersOf, pathFinder } from '../pages/link-target.ts'
import type { ProjectReading } from '../reading.ts'
import { FILE_KINDS, FOLDERS_KEY } from '../schema/files.ts'
import { readValues } from '../schema/kinds.ts'
import { readFields } from '../yaml/fields.ts'
import { advice } from '../yaml/nearest.ts'
import { refuse, withSubject } from '../yaml/reader.ts'
import { type Reference, suggester } from '../yaml/references.ts'
import { readDescription } from '../yaml/scalars.ts'
import { readYaml } from '../yaml/yaml.ts'

const KEYS = keysOf(FILE_FIELDS)

export const FILES_YAML = 'files/files.yaml'

/** The entry of a file in `files.yaml`, which overrides the file's own metadata. */
export type FileEntry = {
  /** The path as written; never empty. */
  path: string
  line: number
  overrides: FileOverrides
  /** The line of each key. */
  lines: ReadonlyMap<string, number>
  notes: WrittenNotes
}

/** Website-only details of a file. The background colour, the original file and former paths are unresolved references. */
type WrittenNotes = Omit<FileNotes, 'ground' | 'variantOf' | 'earlier'> & {
  ground?: Reference
  variantOf?: Reference
  earlier?: readonly Reference[]
}

/** Reads `files.yaml`: a mapping of paths to descriptions, or to mappings of fields; `folders` has those of folders. */
export function readFilesFile(text: string): {
  files: FileEntry[]
  folders?: FolderEntry[]
  problems: Problem[]
} {
  const { root, problems } = readYaml(text)
  if (root === undefined || root.kind === 'empty') return { files: [], problems }
  if (root.kind !== 'mapping') {
    problems.push(withSubject('the file', refuse(root, 'write a mapping of paths, as in images/logo.svg: Our logo')))
    return { files: [], problems }
  }
  const folders = root.entries.find(({ key }) => key === FOLDERS_KEY)
  const files = root.entries.filter(entry => entry !== folders).flatMap(entry => readFile(entry, problems))
  return { files, ...(folders && { folders: readFolders(folders.value, problems) }), problems }
}

function readFile({ key, line, value }: YamlEntry, problems: Problem[]): FileEntry[] {
  if (key === '' || /\p{Cc}/u.test(key) || !key.isWellFormed()) {
    const message = `the path ${quote(key)} is not a valid file path; write one under files/ or pages/`
    problems.push({ rule: 'value-invalid', line, message })
    return []
  }
  if (value.kind !== 'mapping') {
    const description = readDescription(value)
    if (!description.ok) {
      problems.push(withSubject(quote(key), description))
      return []
    }
    const overrides = { description: description.value }
    return [{ path: key, line, overrides, lines: new Map([['description', line]]), notes: {} }]
  }
  const fields = readFields(value, 'a file in files.yaml', KEYS, problems)
  const lines = new Map(value.entries.map(entry => [entry.key, entry.line]))
  const { alt, ...values } = readValues(fields, FILE_FIELDS, FILE_KINDS)
  if (lines.has('alt') && lines.has('description')) {
    const message = `${quote(key)} has "description" and "alt", which are the same: keep one`
    problems.push(problem('description-unused', message, lines.get('alt')))
  }
  const overrides = withoutUndefined({ description: alt, ...pick(values, FILE_OVERRIDE_KEYS) })
  return [{ path: key, line, overrides, lines, notes: pick(values, FILE_NOTE_KEYS) }]
}

/** The entry of a folder in `files.yaml`; `path` is as written. */
export type FolderEntry = { path: string; line: number; notes: Omit<FolderNotes, 'path'> }

/** Reads `folders` of `files.yaml`: a mapping of paths under `files/` to mappings of keys. */
function readFolders(node: YamlNode, problems: Problem[]): FolderEntry[] {
  if (node.kind !== 'mapping') {
    problems.push(withSubject('"folders"', refuse(node, 'write a mapping of folders, as in logo: { title: Logos }')))
    return []
  }
  return node.entries.map(({ key, line, value }) => {
    const fields = readFields(value, 'a folder in files.yaml', keysOf(FOLDER_FIELDS), problems)
    return { path: key, line, notes: readValues(fields, FOLDER_FIELDS, FILE_KINDS) }
  })
}

/** Finds the described folders, and sorts them by path. Reports and omits those without files. */
export function resolveFolders(
  reading: ProjectReading,
  entries: readonly FolderEntry[],
  files: readonly Pick<BrandFile, 'path'>[],
): readonly FolderNotes[] {
  if (entries.length === 0) return []
  const paths = foldersOf(files.map(({ path }) => path))
  const find = pathFinder([...paths])
  const suggest = suggester(Array.from(paths, path => path.slice(FILES.length)))
  const folders = new Map<string, FolderNotes>()
  for (const { path: written, line, notes } of entries) {
    // `logo/` and `files/logo` are the same folder.
    const below = withoutLastSlash(written)
    const path = find(FILES + below) ?? find(below)
    const report = (rule: RuleId, why: string, meant?: string) => {
      const message = `${quote(written)} in "folders" ${why}; ${advice(meant, 'correct the path, or remove the entry')}`
      reading.report(FILES_YAML, problem(rule, message, line))
    }
    if (path === undefined) report('file-described-missing', 'is not a folder of files under files/', suggest(below))
    else if (folders.has(path)) report('yaml-duplicate-key', 'is the same folder as an earlier one')
    else folders.set(path, { path, ...notes })
  }
  // A folder with only its path has no valid key.
  const described = [...folders.values()].filter(folder => Object.keys(folder).length > 1)
  return described.sort((a, b) => compareStrings(a.path, b.path))
}

const FILES = 'files/'
