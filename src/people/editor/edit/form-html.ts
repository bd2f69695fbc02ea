import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { AT, BODY, type EditorField, type FormValues, kindOf } from '../formats/field.ts'
import { fieldValue, formText, recordOf } from '../formats/values.ts'
import { NEW, nameIn, REMOVE, shownTexts } from './form-values.ts'

export type FormState = {
  words: Words
  /** What is wrong, by the name of the field. */
  problems: ReadonlyMap<string, string>
  /** The names of the entries that have problems. */
  opened: ReadonlySet<string>
  /** The language of the text. */
  lang: string
  /** What the script of the editor needs, as attributes of the text. */
  source?: Html
}

/** The fields of a form with these values. */
export function fieldsHtml(state: FormState, fields: readonly EditorField[], values: FormValues, parent = ''): Html[] {
  return fields.map(field => fieldHtml(state, field, values[field.name], nameIn(parent, field.name)))
}

function fieldHtml(state: FormState, field: EditorField, value: unknown, name: string): Html {
  const kind = kindOf(field)
  if (field.name === AT) return html`<input type="hidden" name="${name}" value="${formText(value)}">\n`
  if (kind === 'list' || kind === 'keyed') return listHtml(state, field, value, name)
  if (kind === 'object')
    return html`<details class="fields"><summary>${field.label}</summary>
${fieldsHtml(state, field.fields ?? [], recordOf(value), name)}</details>
`
  if (kind === 'flag') {
    const isOn = formText(value) === 'true' && html` checked`
    return html`<p class="field"><label><input type="checkbox" name="${name}" value="true"${isOn}> ${field.label}</label>${hint(field, name)}</p>\n`
  }
  const isKept = fieldValue(field, value) !== undefined && field.required !== true && field.name !== BODY
  const label = html`<label for="${name}">${field.name === BODY ? state.words.edit.text : field.label}</label>`
  return html`<div class="field">${label}
${control(state, field, value, name)}${problemHtml(state, name)}${hint(field, name)}${isKept && removal(name, state.words.edit.removeValue)}</div>
`
}

function control(state: FormState, field: EditorField, value: unknown, name: string): Html {
  const kind = kindOf(field)
  const problem = state.problems.has(name)
  const about = [problem && `${name}-problem`, field.hint !== undefined && `${name}-hint`].filter(Boolean).join(' ')
  const shared = html`id="${name}" name="${name}"${about !== '' && html` aria-describedby="${about}"`}${problem && html` aria-invalid="true"`}`
  const texts = shownTexts(field, value)
  const [text = ''] = texts
  if (field.name === BODY)
    return html`<textarea ${shared} class="source" rows="24" lang="${state.lang}" dir="auto" spellcheck="true" data-source${state.source}>
${text}</textarea>
`
  const { options } = field
  if (Array.isArray(options)) {
    const isSeveral = kind === 'words' && html` multiple`
    const rows = options.map(
      option => html`<option value="${option}"${texts.includes(`${option}`) && html` selected`}>${option}</option>`,
    )
    return html`<select ${shared}${isSeveral}>${kind !== 'words' && html`<option value="">–</option>`}${rows}</select>\n`
  }
  const isLong = kind === 'words' || kind === 'pairs' || field.widget === 'text'
  if (isLong) return area(shared, text, text.split('\n').length)
  return html`<span class="control">${kind === 'color' && swatch(text)}<input ${shared} value="${text}" dir="auto" autocomplete="off"></span>\n`
}

function area(shared: Html, text: string, lines: number): Html {
  return html`<textarea ${shared} rows="${Math.min(Math.max(lines, 2), 12)}" dir="auto">
${text}</textarea>
`
}

function swatch(hex: string): Html {
  const fill = /^#[0-9a-f]{6}$/.test(hex) ? hex : 'none'
  return html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="${fill}"/></svg>`
}

function problemHtml({ problems }: FormState, name: string): Html | undefined {
  const problem = problems.get(name)
  return problem === undefined ? undefined : html`<p class="problem" id="${name}-problem">${problem}</p>\n`
}

function hint({ hint: text }: EditorField, name: string): Html | undefined {
  return text !== undefined ? html`<small id="${name}-hint">${text}</small>\n` : undefined
}

function removal(name: string, label: Word): Html {
  return html`<label class="remove"><input type="checkbox" name="${REMOVE}" value="${name}"> ${label}</label>\n`
}

/** The entries of a list, which open one by one, and an empty one at the end. */
function listHtml(state: FormState, field: EditorField, value: unknown, name: string): Html {
  const { words, opened } = state
  const fields = field.fields ?? []
  const entries = Object.values(recordOf(value)).map(recordOf)
  const rows = entries.map((entry, at) => {
    const own = nameIn(name, at)
    const isOpen = opened.has(own) || entries.length === 1
    return html`<details class="entry"${isOpen && html` open`}><summary>${'hex' in entry && swatch(formText(entry.hex))}<bdi>${titleOf(entry)}</bdi></summary>
${fieldsHtml(state, fields, entry, own)}${removal(own, words.edit.removeEntry)}</details>
`
  })
  const added = html`<details class="entry"><summary>${words.edit.addEntry}</summary>
${fieldsHtml(state, fields, {}, nameIn(name, NEW))}</details>
`
  return html`<fieldset><legend>${field.label}</legend>
${rows}${added}</fieldset>
`
}

function titleOf({ name, path, id, title }: FormValues): string {
  return [name, path, title, id].map(formText).find(text => text !== '') ?? '–'
}
