import { pageProblems, splitFrontMatter, splitOtherFormat } from '#intake/pages/front-matter.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { BODY, type EditorField, type Format, type FormValues, SOURCE } from './field.ts'
import { losslessFormat } from './lossless-format.ts'
import { formText } from './values.ts'
import { editRoot, readRoot } from './yaml-format.ts'

/** Makes the format of a page: its front matter, and its Markdown in the field `body` without blank space around it. */
export function pageFormat(fields: readonly EditorField[]): Format {
  const own = fields.filter(({ name }) => name !== SOURCE)
  const keys = own.filter(({ name }) => name !== BODY)
  const read = (page: string) => {
    const split = splitFrontMatter(page)
    const other = splitOtherFormat(page)
    if (other) return failed(`its front matter is ${other.format}, which a form does not keep; ${AS_TEXT}`)
    const unsafe = pageProblems(split).find(({ rule }) => rule !== 'page-empty')
    if (unsafe) return failed(unsafe.message)
    const { yaml = '', content } = split
    const values = readRoot(yaml, keys, 2)
    return values.ok ? ok({ ...values.value, [BODY]: formText(content) }) : values
  }
  return losslessFormat(own, read, (page, values) => editPage(page, values, keys))
}

const AS_TEXT = 'edit the file as text, or write its keys as YAML between --- lines'

function editPage(page: string, values: FormValues, keys: readonly EditorField[]): Result<string, string> {
  const { yaml = '', content } = splitFrontMatter(page)
  const edited = editRoot(yaml, values, keys)
  if (!edited.ok) return edited
  const body = editBody(content, formText(values[BODY]))
  const before = page.slice(0, page.length - content.length)
  if (before === '' && edited.value === '') return ok(body)
  const head = before || '---\n---\n'
  const open = head.slice(0, head.indexOf('\n') + 1)
  const close = head.slice(open.length + yaml.length)
  // Front matter without keys is written without braces.
  const isEmptied = edited.value.trim() === '{}' && yaml.trim() !== '{}'
  // A new body, or a body below new front matter, has a blank line above it.
  const isSpaced = body !== '' && (before === '' || content === '') && !body.startsWith('\n')
  const gap = isSpaced ? `${close.endsWith('\n') ? '' : '\n'}\n` : ''
  return ok(open + (isEmptied ? '' : edited.value) + close + gap + body)
}

/** The Markdown with another text between its outer blank space. */
function editBody(content: string, text: string): string {
  const before = formText(content)
  if (before !== '' || text === '') return content.replace(before, () => text)
  return `${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${text}\n`
}
