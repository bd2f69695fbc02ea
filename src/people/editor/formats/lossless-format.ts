import { normalText } from '#intake/folder/utf8.ts'
import { field, parsedJson } from '#platform/base/object.ts'
import type { Result } from '#platform/base/result.ts'
import { type EditorField, type Format, type FormValues, SOURCE } from './field.ts'
import { isSameForm } from './values.ts'

/** Makes a format that returns a new text only if it reads as the form. Texts have LF line ends and no byte order mark. */
export function losslessFormat(
  fields: readonly EditorField[],
  read: (text: string) => Result<FormValues, string>,
  edit: (text: string, content: FormValues) => Result<string, string>,
): Format {
  const readForm = (text: string, action: string): FormValues => {
    if (text.includes('\uFFFD')) throw new Error(`cannot ${action} the file: it is not UTF-8; save it as UTF-8`)
    return valueOrThrow(read(text), action)
  }
  return {
    fromFile: file => ({ ...readForm(normalText(file), 'edit'), [SOURCE]: JSON.stringify(file) }),
    toFile: content => {
      const file = sourceOf(content)
      readForm(normalText(file), 'save')
      const edited = valueOrThrow(edit(normalText(file), content), 'save')
      if (!isSameForm(fields, readForm(edited, 'save'), content))
        throw new Error(
          'cannot save the file: the new text would not give the values of the form; undo the last change, or edit the file by hand',
        )
      return asIn(file, edited)
    },
  }
}

/** The text of the file from the hidden field; empty for a new file. */
function sourceOf({ [SOURCE]: json }: FormValues): string {
  if (typeof json !== 'string' || json.trim() === '') return ''
  const source = parsedJson(json)
  // A text that was merged from two is in an object, with `base`, the version in the repository.
  const text = field(source, 'text') ?? source
  if (typeof text === 'string') return text
  throw new Error('cannot save the file: the form has lost the text of the file; reload the editor, and edit it again')
}

/** A text with the byte order mark and the line ends of a file. New lines end as the first one. */
function asIn(file: string, text: string): string {
  const [, mark = '', lineEnd = '\n'] = /^(\uFEFF?)[^\r\n]*(\r\n|\n|\r)?/.exec(file) ?? []
  const lines = file.slice(mark.length).split(/(?<=\n|\r(?!\n))/)
  const bare = lines.map(normalText)
  let next = 0
  const written = text.split(/(?<=\n)/).map(line => {
    const at = bare.indexOf(line, next)
    if (at < 0) return line.replace('\n', lineEnd)
    next = at + 1
    return lines[at]
  })
  return mark + written.join('')
}

function valueOrThrow<Value>(result: Result<Value, string>, action: string): Value {
  if (result.ok) return result.value
  throw new Error(`cannot ${action} the file: ${result.problem}`)
}
