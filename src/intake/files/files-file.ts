import { pick } from '../../base/object.ts'
import { quote } from '../../base/text.ts'
import { keysOf } from '../../brand/fields.ts'
import {
  FILE_FIELDS,
  FILE_NOTE_KEYS,
  FILE_OVERRIDE_KEYS,
  type FileNotes,
  type FileOverrides,
} from '../../brand/file.ts'
import type { Problem } from '../../brand/finding.ts'
import { FILE_KINDS, FOLDERS_KEY } from '../schema/files.ts'
import { readValues } from '../schema/kinds.ts'
import { readFields } from '../yaml/fields.ts'
import { refuse, withSubject } from '../yaml/reader.ts'
import type { Reference } from '../yaml/references.ts'
import { readDescription } from '../yaml/texts.ts'
import { readYaml, type YamlEntry } from '../yaml/yaml.ts'
import { type FolderEntry, readFolders } from './folders.ts'

const KEYS = keysOf(FILE_FIELDS)

/** The entry of a file in `files.yaml`, which overrides the file's own metadata. */
export type FileEntry = {
  /** The path as written; never empty. */
  path: string
  line: number
  overrides: FileOverrides
  lines: ReadonlyMap<string, number>
  notes: WrittenNotes
}

/** Website-only details of a file. The background colour and the original file are unresolved references. */
type WrittenNotes = Omit<FileNotes, 'ground' | 'variantOf'> & { ground?: Reference; variantOf?: Reference }

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
  if (fields === undefined) return []
  const lines = new Map(value.entries.map(entry => [entry.key, entry.line]))
  const values = readValues(fields, FILE_FIELDS, FILE_KINDS)
  return [{ path: key, line, overrides: pick(values, FILE_OVERRIDE_KEYS), lines, notes: pick(values, FILE_NOTE_KEYS) }]
}
