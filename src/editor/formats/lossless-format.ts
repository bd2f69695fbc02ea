import type { Result } from '../../base/result.ts'
import { type EditorField, type Format, type FormValues, SOURCE } from './field.ts'
import { isSameForm } from './values.ts'

/** Reads and edits the text of a file without its byte order mark. A problem is the end of a sentence for people. */
export type TextForm = {
  fields: readonly EditorField[]
  read: (text: string) => Result<FormValues, string>
  edit: (text: string, content: FormValues) => Result<string, string>
}

/**
 * Makes a format that changes only what a form changes. The form carries the text of the file in a hidden field. A new
 * text is returned only if it reads as the form.
 */
export function losslessFormat({ fields, read, edit }: TextForm): Format {
  const readForm = (text: string, action: string): FormValues => {
    if (text.includes('\uFFFD')) throw new Error(`cannot ${action} the file: it is not UTF-8; save it as UTF-8`)
    return valueOrThrow(read(text), action)
  }
  return {
    fromFile: file => ({ ...readForm(withoutMark(file), 'edit'), [SOURCE]: JSON.stringify(file) }),
    toFile: content => {
      const file = sourceOf(content)
      const text = withoutMark(file)
      const edited = valueOrThrow(edit(text, content), 'save')
      if (!isSameForm(fields, readForm(edited, 'save'), content)) throw new Error(DIFFERENT)
      return file.slice(0, file.length - text.length) + edited
    },
  }
}

const DIFFERENT =
  'cannot save the file: the new text would not give the values of the form; undo the last change, or edit the file by hand'

function withoutMark(file: string): string {
  return file.startsWith('\uFEFF') ? file.slice(1) : file
}

/** The text of the file from the hidden field; empty for a new file. */
function sourceOf(content: FormValues): string {
  const json = content[SOURCE]
  if (typeof json !== 'string' || json.trim() === '') return ''
  let text: unknown
  try {
    text = JSON.parse(json)
  } catch {
    // The message below says the same.
  }
  if (typeof text === 'string') return text
  throw new Error('cannot save the file: the form has lost the text of the file; reload the editor, and edit it again')
}

function valueOrThrow<Value>(result: Result<Value, string>, action: string): Value {
  if (result.ok) return result.value
  throw new Error(`cannot ${action} the file: ${result.problem}`)
}
