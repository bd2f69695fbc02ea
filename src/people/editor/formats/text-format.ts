import { ok } from '#platform/base/result.ts'
import { BODY, type Format } from './field.ts'
import { losslessFormat } from './lossless-format.ts'
import { formText } from './values.ts'

/** Makes the format of a file as one text, whose blank space at its ends stays. */
export function textFormat(): Format {
  return losslessFormat(
    [{ name: BODY, widget: 'markdown' }],
    text => ok({ [BODY]: formText(text) }),
    (text, values) => ok(text.replace(formText(text), () => formText(values[BODY]))),
  )
}
