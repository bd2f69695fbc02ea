import { diffLines } from 'diff'
import { isCollection, isMap, isSeq } from 'yaml'
import type { EDITED_FILES } from '#brand/edit-link.ts'
import { normalText } from '#intake/folder/utf8.ts'
import { pageProblems, splitFrontMatter, splitOtherFormat } from '#intake/pages/front-matter.ts'
import { readYaml } from '#intake/yaml/yaml.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { applyEdits, type Edit } from '#platform/base/text.ts'
import { type Change, editYaml, parseYaml } from './edit-yaml.ts'

export type FileKind = 'page' | keyof typeof EDITED_FILES

/** A file as a form: its YAML as fields, and the text of a page; or all of it as one text, because of a problem. */
export type EditedText = {
  file: string
  /** The YAML with LF line ends, and its root. */
  yaml?: { text: string; root: unknown }
  /** The Markdown, or the whole file, without blank space around it. */
  body?: string
  problem?: string
}

/** Opens the text of a file. */
export function openText(kind: FileKind, file: string): EditedText {
  const text = normalText(file)
  const { yaml = '', content, problem } = kind === 'page' ? splitPage(text) : { yaml: text }
  const root = problem === undefined ? readRoot(kind, yaml) : failed(problem)
  if (!root.ok) return { file, body: text.trim(), problem: root.problem }
  return { file, yaml: { text: yaml, root: root.value }, ...(content !== undefined && { body: content.trim() }) }
}

function splitPage(text: string): { yaml?: string; content?: string; problem?: string } {
  const other = splitOtherFormat(text)
  if (other) return { problem: `its front matter is ${other.format}` }
  const split = splitFrontMatter(text)
  const unsafe = pageProblems(split).find(({ rule }) => rule !== 'page-empty')
  return unsafe ? { problem: unsafe.message } : split
}

function readRoot(kind: FileKind, yaml: string): Result<unknown, string> {
  if (yaml.length > MAX_YAML) return failed('it is larger than 256 kB')
  const found = readYaml(yaml, kind === 'page' ? 2 : 1).problems.find(({ rule }) => rule !== 'value-cut')
  if (found) return failed(`line ${found.line}: ${found.message}`)
  const root = parseYaml(yaml)
  const isList = kind === 'colors' || kind === 'types'
  if (isList ? isMap(root) : isSeq(root)) return failed(isList ? 'it is not a list' : 'it is not a mapping')
  const lists = [root, ...(isMap(root) ? root.items.map(({ value }) => value) : [])]
  if (lists.some(list => isCollection(list) && list.items.length > MAX_ENTRIES)) return failed(TOO_MANY_ENTRIES)
  return ok(root)
}

const MAX_YAML = 256_000
/** Each entry has twenty fields or so. */
const MAX_ENTRIES = 1000
const MAX_CHANGES = 10_000
const TOO_MANY_ENTRIES = `it has more than ${MAX_ENTRIES} entries`

/** The file with changes of its YAML, and with another text. */
export function changedText(
  kind: FileKind,
  { file, yaml, body: old = '' }: EditedText,
  changes: readonly Change[],
  typed = old,
): Result<string, string> {
  const body = typed.trim()
  if (changes.length > MAX_CHANGES) return failed('these are too many changes at once; edit the file with git')
  const text = normalText(file)
  const edited = yaml ? editYaml(yaml.text, changes) : ok([])
  if (!edited.ok) return edited
  const edits = kind === 'page' && yaml ? pageEdits(text, yaml.text, edited.value, body) : edited.value
  const start = text.length - text.trimStart().length
  const changed = applyToFile(file, kind === 'page' && yaml ? edits : [...edits, ...lineEdits(old, body, start)])
  if (kind !== 'page' || !yaml) return ok(changed)
  const { yaml: after, body: shown = '' } = openText(kind, changed)
  const isKept = after?.text === applyEdits(yaml.text, edited.value) || after?.text === ''
  return isKept && shown === body
    ? ok(changed)
    : failed('the text would begin with front matter; change its first lines')
}

/** The edits of a page, whose front matter begins below the first line, or is new. */
function pageEdits(text: string, yaml: string, edits: readonly Edit[], body: string): Edit[] {
  const { content, yaml: before } = splitFrontMatter(text)
  const [start, old] = [text.length - content.length, content.trim()]
  const written = applyEdits(yaml, edits)
  const isSpaced = body !== '' && !(old === '' ? body : content).startsWith('\n')
  const head = text.indexOf('\n') + 1
  const isEmptied = written.trim() === '{}' && edits.length > 0
  const keys =
    before === undefined
      ? edits.slice(0, 1).map(() => ({ start: 0, end: 0, text: `---\n${written}---\n${isSpaced ? '\n' : ''}` }))
      : isEmptied
        ? [{ start: head, end: head + yaml.length, text: '' }]
        : edits.map(edit => ({ ...edit, start: edit.start + head, end: edit.end + head }))
  if (body === old) return keys
  if (old !== '') return [...keys, ...lineEdits(old, body, text.indexOf(old, start))]
  const gap = `${text === '' || text.endsWith('\n') ? '' : '\n'}${before !== undefined && content === '' ? '\n' : ''}`
  return [...keys, { start: text.length, end: text.length, text: `${gap}${body}\n` }]
}

/** The edits of changed lines. A text with very many is replaced. */
function lineEdits(before: string, after: string, offset: number): Edit[] {
  const parts = diffLines(before, after, { maxEditLength: 1000 })
  if (!parts) return [{ start: offset, end: offset + before.length, text: after }]
  let at = offset
  return parts.flatMap(({ added, removed, value }) => {
    const start = at
    if (!added) at += value.length
    return added || removed ? [{ start, end: at, text: added ? value : '' }] : []
  })
}

/** Applies edits of the text with LF line ends and without a byte order mark to the file. New lines end as its first. */
function applyToFile(file: string, edits: readonly Edit[]): string {
  const mark = file.startsWith('\uFEFF') ? 1 : 0
  const [lineEnd = '\n'] = /\r\n?|\n/.exec(file) ?? []
  const pairs = Array.from(file.matchAll(/\r\n/g), ({ index }, at) => index - mark - at)
  let count = 0
  const offsetOf = (offset: number) => {
    while ((pairs[count] ?? offset) < offset) count++
    return offset + mark + count
  }
  const own = edits
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, text }) => ({
      start: offsetOf(start),
      end: offsetOf(end),
      text: text.replaceAll('\n', lineEnd),
    }))
  return applyEdits(file, own)
}
