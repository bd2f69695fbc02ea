import { compareStrings, quote } from '../../base/text.ts'
import { keysOf } from '../../brand/fields.ts'
import { type BrandFile, FOLDER_FIELDS, type FolderNotes } from '../../brand/file.ts'
import type { Problem, RuleId } from '../../brand/finding.ts'
import { problem } from '../folder/findings.ts'
import { foldersOf, indexPaths } from '../pages/link-target.ts'
import { inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'
import { FILE_KINDS } from '../schema/files.ts'
import { readValues } from '../schema/kinds.ts'
import { readFields } from '../yaml/fields.ts'
import { advice } from '../yaml/nearest.ts'
import { refuse, withSubject } from '../yaml/reader.ts'
import { suggester } from '../yaml/references.ts'
import type { YamlNode } from '../yaml/yaml.ts'

/** The entry of a folder in `files.yaml`; `path` is as written. */
export type FolderEntry = { path: string; line: number; notes: Omit<FolderNotes, 'path'> }

/** Reads `folders` of `files.yaml`: a mapping of paths under `files/` to mappings of keys. */
export function readFolders(node: YamlNode, problems: Problem[]): FolderEntry[] {
  if (node.kind !== 'mapping') {
    problems.push(withSubject('"folders"', refuse(node, 'write a mapping of folders, as in logo: { title: Logos }')))
    return []
  }
  return node.entries.flatMap(({ key, line, value }) => {
    const fields = readFields(value, 'a folder in files.yaml', keysOf(FOLDER_FIELDS), problems)
    return fields ? [{ path: key, line, notes: readValues(fields, FOLDER_FIELDS, FILE_KINDS) }] : []
  })
}

/** Finds the described folders, and sorts them by path. Reports and omits those without files. */
export function resolveFolders(
  { project, findings }: ProjectReading,
  entries: readonly FolderEntry[],
  files: readonly Pick<BrandFile, 'path'>[],
): readonly FolderNotes[] {
  if (entries.length === 0) return []
  const paths = foldersOf(files.map(({ path }) => path))
  const index = indexPaths([...paths])
  const suggest = suggester(Array.from(paths, path => path.slice(FILES.length)))
  const folders = new Map<string, FolderNotes>()
  for (const { path: written, line, notes } of entries) {
    const below = written.replace(/\/+$/, '')
    const path = index.get(FILES + below) ?? index.get(FILES + below.normalize('NFC')) ?? index.get(below)
    const report = (rule: RuleId, why: string, meant?: string) => {
      const message = `${quote(written)} in "folders" ${why}; ${advice(meant, 'correct the path, or remove the entry')}`
      findings.add(project.id, inFolder(project.folder, 'files/files.yaml'), problem(rule, message, line))
    }
    if (path === undefined) report('file-described-missing', 'is not a folder of files under files/', suggest(below))
    else if (folders.has(path)) report('yaml-duplicate-key', 'is the same folder as an earlier one')
    else folders.set(path, { path, ...notes })
  }
  const described = [...folders.values()].filter(folder => Object.keys(folder).length > 1)
  return described.sort((a, b) => compareStrings(a.path, b.path))
}

const FILES = 'files/'
