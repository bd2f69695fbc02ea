import { type Document, isCollection, isMap, isScalar, isSeq } from 'yaml'
import type { EDITED_FILES } from '#brand/edit-link.ts'
import { parseYamlDocument } from '#formats/yaml/document.ts'
import { pageProblems, splitFrontMatter, splitOtherFormat } from '#intake/pages/front-matter.ts'
import { readYaml } from '#intake/yaml/yaml.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, normalText } from '#platform/base/text.ts'
import { passagesOf } from '#publishing/git/edit/merge.ts'
import { editYaml } from './edit-yaml.ts'

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

/** The front matter and the Markdown of a page; a problem if it has a form that the editor could not keep. */
function splitPage(text: string): { yaml?: string; content?: string; problem?: string } {
  const other = splitOtherFormat(text)
  if (other) return { problem: `its front matter is ${other.format}` }
  const split = splitFrontMatter(text)
  const pageProblem = pageProblems(split).find(({ rule }) => rule !== 'page-empty')
  return pageProblem ? { problem: pageProblem.message } : split
}

/** The root of YAML; a problem if it cannot be shown as the fields of this kind of file. */
function readRoot(kind: FileKind, yaml: string): Result<unknown, string> {
  if (yaml.length > MAX_YAML) return failed('it is larger than 256 kB')
  // The YAML of a page begins on its second line, after `---`.
  const problem = readYaml(yaml, kind === 'page' ? 2 : 1).problems.find(({ rule }) => rule !== 'value-cut')
  if (problem) return failed(`line ${problem.line}: ${problem.message}`)
  const root = parseYamlDocument(yaml).contents
  const isList = kind === 'colors' || kind === 'types'
  const isText = isScalar(root) && root.value !== null
  if (isText || (isList ? isMap(root) : isSeq(root))) return failed(isList ? 'it is not a list' : 'it is not a mapping')
  const lists = [root, ...(isMap(root) ? root.items.map(({ value }) => value) : [])]
  if (lists.some(list => isCollection(list) && list.items.length > MAX_ENTRIES)) return failed(TOO_MANY_ENTRIES)
  return ok(root)
}

const MAX_YAML = 256_000
/** Each entry has twenty fields or so. */
const MAX_ENTRIES = 1000
const TOO_MANY_ENTRIES = `it has more than ${MAX_ENTRIES} entries`

/**
 * The file with a change of its YAML, and with another text, which is the old one by default. The result is opened again: a
 * change counts only if it gives back just this YAML and this text.
 */
export function changedText(
  kind: FileKind,
  { file, yaml, body: oldBody = '' }: EditedText,
  change: (document: Document) => void,
  typed = oldBody,
): Result<string, string> {
  const text = normalText(file)
  const edited = yaml ? editYaml(yaml.text, change) : ok('')
  if (!edited.ok) return edited
  if (yaml && kind !== 'page') return ok(withLines(file, text, edited.value))
  const body = typed.trim()
  const isForm = yaml !== undefined
  const changed = withLines(file, text, isForm ? pageText(text, edited.value, body) : withBody(text, body))
  const { yaml: newYaml, body: newBody = '' } = openText(kind, changed)
  const isKept = !isForm || (newBody === body && (newYaml?.text === edited.value || newYaml?.text === ''))
  return isKept ? ok(changed) : failed('the text would begin with front matter; change its first lines')
}

/** A page with other front matter, which is new if it had none, and another text. */
function pageText(text: string, yaml: string, body: string): string {
  const { content, yaml: yamlBefore } = splitFrontMatter(text)
  // Without a key, the library prints `{}`.
  const newYaml = yaml.trim() === '{}' && yaml !== yamlBefore ? '' : yaml
  if (yamlBefore === undefined) return newFrontMatter(newYaml, content, body) + withBody(content, body)
  // Everything up to the YAML, and the closing `---`, stay as they are.
  const yamlStart = text.indexOf('\n') + 1
  const closing = text.slice(yamlStart + yamlBefore.length, text.length - content.length)
  // The first text of a page that had none follows a blank line.
  const isFirstText = content === '' && body !== ''
  const gap = isFirstText ? `${closing.endsWith('\n') ? '' : '\n'}\n` : ''
  return text.slice(0, yamlStart) + newYaml + closing + gap + withBody(content, body)
}

/** The front matter of a page that had none, with a blank line before its text; empty without YAML. */
function newFrontMatter(yaml: string, content: string, body: string): string {
  const isSpaced = body !== '' && !content.startsWith('\n')
  return yaml && `---\n${yaml}---\n${isSpaced ? '\n' : ''}`
}

/** A text with the blank space around it that another one has. */
function withBody(content: string, body: string): string {
  const bodyBefore = content.trim()
  if (body === bodyBefore) return content
  if (bodyBefore === '') return `${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${body}\n`
  const start = content.indexOf(bodyBefore)
  return content.slice(0, start) + body + content.slice(start + bodyBefore.length)
}

/** A file with the lines that differ between two versions of its text, whose new lines end as its first one. */
function withLines(file: string, before: string, after: string): string {
  const mark = file.startsWith('\uFEFF') ? '\uFEFF' : ''
  const [lineEnd = '\n'] = groupsOf(/\r\n?|\n/, file)
  // Here, `base` is the text before, `mine` the text after, and `theirs` the file. What did not change is as in the file.
  const passages = passagesOf(before, after, file.slice(mark.length), LINES)
  const texts = passages.map(({ base, mine, theirs }) => (mine === base ? theirs : mine.replaceAll('\n', lineEnd)))
  return mark + texts.join('')
}

/** Lines are the same with other line ends. */
const LINES = { cut: /(?<=\n|\r(?!\n))/, keyOf: normalText }
