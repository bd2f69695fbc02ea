import { ok, type Result } from '../../base/result.ts'
import { BODY, type EditorField, type Format, type FormValues, SOURCE } from './field.ts'
import { lineEndOf } from './lines.ts'
import { losslessFormat } from './lossless-format.ts'
import { textOf } from './values.ts'
import { editRoot, readRoot } from './yaml-format.ts'

/**
 * Makes the format of a page: its front matter, and its Markdown in the field `body` without blank space around it. A
 * line of Markdown that is not edited keeps its line end.
 */
export function pageFormat(fields: readonly EditorField[]): Format {
  const keys = fields.filter(({ name }) => name !== SOURCE && name !== BODY)
  return losslessFormat({
    fields: fields.filter(({ name }) => name !== SOURCE),
    read: page => {
      const { yaml, content } = splitPage(page)
      const values = readRoot(yaml, { keys }, 2)
      return values.ok ? ok({ ...values.value, [BODY]: textOf(content) }) : values
    },
    edit: (page, values) => editPage(page, values, keys),
  })
}

function editPage(page: string, values: FormValues, keys: readonly EditorField[]): Result<string, string> {
  const eol = lineEndOf(page)
  const { open, yaml, close, content } = splitPage(page)
  const edited = editRoot(yaml, values, { keys }, eol)
  if (!edited.ok) return edited
  const body = editBody(content, textOf(values[BODY]), eol)
  if (open === '' && edited.value === '') return ok(body)
  // A new body, or a body below new front matter, has a blank line above it.
  const gap = body !== '' && (open === '' || content === '') && !/^[\r\n]/.test(body) ? eol : ''
  if (open === '') return ok(`---${eol}${edited.value}---${eol}${gap}${body}`)
  const end = gap === '' || /[\r\n]$/.test(close) ? close : close + eol
  return ok(open + (isEmptied(edited.value, yaml) ? '' : edited.value) + end + gap + body)
}

/** Front matter without keys is written without braces. */
function isEmptied(yaml: string, before: string): boolean {
  return yaml.trim() === '{}' && before.trim() !== '{}'
}

type PageParts = { open: string; yaml: string; close: string; content: string }

/** Splits a page as `splitFrontMatter` does, without changing line ends. The four parts joined are the page. */
function splitPage(page: string): PageParts {
  const [open] = /^---[ \t]*(?:\r\n|\r|\n)/.exec(page) ?? []
  const closing = /[\r\n]---[ \t]*(?:\r\n|\r|\n|$)/g
  closing.lastIndex = open === undefined ? page.length : open.length - 1
  const end = closing.exec(page)
  if (open === undefined || end === null) return { open: '', yaml: '', close: '', content: page }
  const yaml = page.slice(open.length, end.index + 1)
  return { open, yaml, close: end[0].slice(1), content: page.slice(closing.lastIndex) }
}

/** The Markdown with the lines of another text. Its outer blank space and equal lines at both ends are unchanged. */
function editBody(content: string, text: string, eol: string): string {
  const before = textOf(content)
  if (text === before) return content
  if (before === '') return content + (/[^\r\n]$/.test(content) ? eol : '') + text + eol
  const start = content.length - content.trimStart().length
  const end = content.trimEnd().length
  const lines = content.slice(start, end).split(/(?<=\r\n|\n|\r(?!\n))/)
  const written = text.split('\n')
  const isKept = (at: number) => lines.at(at)?.replace(/[\r\n]+$/, '') === written.at(at)
  const most = Math.min(lines.length, written.length)
  let head = 0
  while (head < most && isKept(head)) head += 1
  let tail = 0
  while (tail < most - head && isKept(-1 - tail)) tail += 1
  const rest = written.slice(head, written.length - tail)
  const all = [...lines.slice(0, head), ...rest.map(line => line + eol), ...lines.slice(lines.length - tail)]
  const ended = all.map((line, at) => {
    const bare = line.replace(/[\r\n]+$/, '')
    return at === all.length - 1 ? bare : line === bare ? line + eol : line
  })
  return content.slice(0, start) + ended.join('') + content.slice(end)
}
