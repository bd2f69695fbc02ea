import { foldersAbove } from '#brand/portable-paths.ts'
import { groupsOf } from '#platform/base/text.ts'
import { attribute, escapeText, Html, html, type Word } from '#site/html.ts'
import { type Words, wordsFor } from '#site/words/words.ts'
import { type Field, fieldsOfFile, inEnglish } from '../fields.ts'
import { type EditedText, type FileKind, openText } from '../source/edited-text.ts'
import { CONTROLS, canonicalColor } from './controls.ts'
import { BODY, entriesOf, NEW, nameIn, partOf, REMOVE, type Sent, textOf } from './form-parts.ts'
import { type Locked, lockOf, type SettingsRights } from './protected-fields.ts'

/** A file to show as a form. HTML crosses to the process that makes it and back as strings. */
export type OpenedForm = {
  /** The language of the guide, whose words the form has. */
  lang: string | undefined
  kind: FileKind
  file: string
  /** The text of the branch, which a form sends back. */
  base: string
  /** The texts that were sent, which stay in their controls. */
  sent: Sent
  /** HTML that says what is wrong, by the name of the field. */
  problems: ReadonlyMap<string, string>
  rights: SettingsRights
}

/**
 * The parts of a form as HTML: its fields, and the hidden field with the text of the branch (`base`); and as text, the title
 * of the page and its Markdown, which is also there as HTML. A list has no `text`.
 */
export type MadeForm = { title: string; fields: string; base: string; text?: { plain: string; html: string } }

/** Makes the fields of a file; undefined if they are too large for a page. */
export function formOf({ lang, kind, file, base, sent, problems, rights }: OpenedForm): MadeForm | undefined {
  const words = wordsFor(lang)
  const opened = openText(kind, file)
  const problemHtml = new Map(Array.from(problems, ([name, problem]) => [name, new Html(problem)]))
  const state = {
    words,
    sent,
    problems: problemHtml,
    // `/items` and `/items/3` for a problem at `/items/3/hex`.
    opened: new Set([...problems.keys()].flatMap(foldersAbove)),
    removed: new Set(sent.get(REMOVE)),
    lockOf: (name: string) => lockOf(words, kind, rights, name),
  }
  // The form of a merged list shows another text than that of the branch, and sends both back.
  const isMerged = kind !== 'page' && file !== base
  const openedField = isMerged && html`<input type="hidden" name="opened" value="${JSON.stringify(file)}">\n`
  const plain = opened.body === undefined ? undefined : (sent.get(BODY)?.[0] ?? opened.body)
  const title = sent.get('/title')?.[0] ?? textOf(partOf({ name: 'title' }, opened.yaml?.root))
  const form = {
    title: title.slice(0, MAX_TITLE),
    fields: html`${openedField}${valuesHtml(state, kind, opened)}`.text,
    base: html`<input type="hidden" name="base" value="${JSON.stringify(base)}">`.text,
    ...(plain !== undefined && { text: { plain, html: escapeText(plain) } }),
  }
  const length = form.fields.length + form.base.length + (form.text?.html.length ?? 0)
  return length > MAX_HTML ? undefined : form
}

const MAX_TITLE = 200
/** In characters. */
const MAX_HTML = 16 << 20

/**
 * The fields of the values in a file, of which a page shows the less usual ones on demand. Without fields, because the file
 * is shown as one text, the reason for that.
 */
function valuesHtml(state: FormState, kind: FileKind, { yaml, problem }: EditedText): Html | Html[] {
  const { words, problems } = state
  if (problem !== undefined) return html`<p class="quiet">${words.edit.asText} ${inEnglish(words, problem)}</p>\n`
  const fields = fieldsOfFile(kind, words)
  if (kind !== 'page') return fieldsHtml(state, fields, yaml?.root)
  const more = fields.filter(({ name }) => !FIRST.includes(name))
  const isOpen = more.some(({ name }) => problems.keys().some(each => each.startsWith(`/${name}`)))
  return html`${fieldsHtml(
    state,
    fields.filter(field => !more.includes(field)),
    yaml?.root,
  )}<details class="fields"${isOpen && html` open`}><summary>${words.edit.more}</summary>
${fieldsHtml(state, more, yaml?.root)}</details>
`
}

/** The usual fields of a page. */
const FIRST: readonly string[] = ['title', 'description', 'cover']

/** What all fields of a form need to know. */
type FormState = {
  words: Words
  /** The texts that were sent, which stay in their controls. */
  sent: Sent
  /** What is wrong, by the name of the field. */
  problems: ReadonlyMap<string, Html>
  /** The names of the mappings and entries that have problems. */
  opened: ReadonlySet<string>
  /** The names of the fields and entries whose boxes *Remove* were checked. */
  removed: ReadonlySet<string>
  /** Why a field is shown without a control; undefined if it has one. */
  lockOf: (name: string) => Locked | undefined
}

/** The fields of a form for a mapping, or for another item of YAML. */
function fieldsHtml(state: FormState, fields: readonly Field[] = [], item: unknown, parent = ''): Html[] {
  return fields.map(field => fieldHtml(state, field, partOf(field, item), nameIn(parent, field.name)))
}

/**
 * One field: a list, a group of the fields of a mapping, a locked value, a box, or another control with its label. `node` is
 * the value in the file, and `name` is the name of the control.
 */
function fieldHtml(state: FormState, field: Field, node: unknown, name: string): Html {
  const { kind, fields, label, hint, isRequired } = field
  const hasParts = CONTROLS[kind].hasParts(node)
  if (hasParts && kind !== 'object') return listHtml(state, field, node, name)
  if (hasParts)
    return html`<details class="fields"${state.opened.has(name) && html` open`}><summary>${label}</summary>
${fieldsHtml(state, fields, node, name)}</details>
`
  // Undefined for a value that the control cannot show.
  const shownTexts = CONTROLS[kind].shown(node, field)
  const lock = state.lockOf(name)
  if (lock) {
    const text = shownTexts?.filter(each => each !== '').join(', ') || lock.usual
    const value = html`<label for="${name}">${label}</label>\n<output id="${name}" dir="auto">${text}</output>\n`
    return fieldOf(state, name, value, html`<p class="quiet">${lock.why}</p>\n`)
  }
  const texts = state.sent.get(name) ?? shownTexts ?? []
  const about = hint !== undefined && html`<small id="${name}-hint">${hint}</small>\n`
  if (kind === 'flag') {
    const isOn = texts.includes('true') && html` checked`
    const box = html`<input type="hidden" name="${name}" value="false"><label><input type="checkbox" ${controlAttributes(state, name, hint)} value="true"${isOn}> ${label}</label>\n`
    return fieldOf(state, name, box, about)
  }
  const inner = html`<label for="${name}">${label}</label>\n${control(state, field, name, shownTexts && texts, node)}`
  const isKept = node !== undefined && !isRequired
  return fieldOf(state, name, inner, html`${about}${isKept && removal(state, name, state.words.edit.removeValue)}`)
}

type Problems = Pick<FormState, 'problems'>

/** A control with its label (`inner`), what is wrong with it, and what comes below. */
function fieldOf({ problems }: Problems, name: string, inner: Html, rest: Html | false): Html {
  const problem = problems.get(name)
  const problemText = problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>\n`
  return html`<div class="field">${inner}${problemText}${rest}</div>\n`
}

/** The attributes by which a control has its name, and its descriptions. */
function controlAttributes({ problems }: Problems, name: string, hint?: Word): Html {
  const hasProblem = problems.has(name)
  const about = [hasProblem && `${name}-problem`, hint !== undefined && `${name}-hint`].filter(Boolean).join(' ')
  // Browsers need seconds to find the direction of a large text.
  const direction = name !== BODY && html` dir="auto"`
  return html`id="${name}" name="${name}"${direction} placeholder=" "${attribute('aria-describedby', about)}${hasProblem && html` aria-invalid="true"`}`
}

/** The text of a page, or a whole file. */
export function textHtml(
  { words, problem }: { words: Words; problem: string | undefined },
  text: Html,
  lang: string,
  source: Html | false,
): Html {
  const state = { problems: new Map(problem === undefined ? [] : [[BODY, new Html(problem)]]) }
  const inner = html`<label for="${BODY}">${words.edit.text}</label>
<textarea ${controlAttributes(state, BODY)} class="source" rows="24" lang="${lang}" spellcheck="true"${source && html` data-source${source}`}>
${text}</textarea>
`
  return fieldOf(state, BODY, inner, false)
}

/** The control with some texts; without them, it shows a value that it cannot change. */
function control(
  state: FormState,
  { kind, options, hint }: Field,
  name: string,
  texts: readonly string[] | undefined,
  node: unknown,
): Html {
  const shared = controlAttributes(state, name, hint)
  if (!texts) return html`<textarea ${shared} rows="2" readonly>\n${JSON.stringify(node)}</textarea>\n`
  const [text = ''] = texts
  if (options) {
    const rows = options.map(
      option => html`<option value="${option}"${texts.includes(option) && html` selected`}>${option}</option>`,
    )
    return kind === 'choices'
      ? html`<input type="hidden" name="${name}" value=""><select ${shared} multiple>${rows}</select>\n`
      : html`<select ${shared}><option value="">–</option>${rows}</select>\n`
  }
  if (kind === 'words' || kind === 'pairs' || kind === 'text')
    return html`<textarea ${shared} rows="${Math.min(Math.max(text.split('\n').length, 2), 12)}">\n${text}</textarea>\n`
  return html`<span class="control">${kind === 'color' && swatch(text)}<input ${shared} value="${text}" autocomplete="off"></span>\n`
}

/** A small square in a colour, which is written as hex or as three numbers; without a fill for any other text. */
function swatch(color: string): Html {
  const [, red, green, blue] = groupsOf(/^\D*(\d{1,3})\D+(\d{1,3})\D+(\d{1,3})\D*$/, color)
  const fill = canonicalColor(color) || (red === undefined ? 'none' : `rgb(${red},${green},${blue})`)
  return html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="${fill}"/></svg>`
}

/** The box that removes a value or an entry. */
function removal({ removed }: FormState, name: string, label: Word): Html {
  return html`<label class="remove"><input type="checkbox" name="${REMOVE}" value="${name}"${removed.has(name) && html` checked`}> ${label}</label>\n`
}

/** The entries of a list, which open one by one, and an empty one at the end. */
function listHtml(state: FormState, field: Field, node: unknown, name: string): Html {
  const { edit } = state.words
  const entries = entriesOf(field, node)
  const rows = entries.map(({ at, item }) => {
    const entryName = nameIn(name, at)
    const { inner, isOpen } = entryHtml(state, field, item, entryName)
    // The head of an entry: its colour, and the first text that it has under one of the other keys.
    const [hex = '', rgb = '', ...titles] = ['hex', 'rgb', 'name', 'path', 'title', 'id', 'write'].map(key =>
      textOf(partOf({ name: key }, item)),
    )
    return html`<details class="entry"${(isOpen || entries.length === 1) && html` open`}><summary>${hex + rgb !== '' && swatch(hex || rgb)}<bdi>${titles.find(text => text !== '') ?? '–'}</bdi></summary>
${inner}${removal(state, entryName, edit.removeEntry)}</details>
`
  })
  const added = entryHtml(state, field, undefined, nameIn(name, NEW))
  return html`<fieldset><legend>${field.label}</legend>
${rows}<details class="entry"${added.isOpen && html` open`}><summary>${edit.addEntry}</summary>
${added.inner}</details></fieldset>
`
}

/** The fields of an entry, which is open if it has a problem, or was sent with other texts. */
function entryHtml(state: FormState, { fields }: Field, item: unknown, name: string): { inner: Html; isOpen: boolean } {
  const inner = html`${fieldsHtml(state, fields, item, name)}`
  // Compares with the HTML that the entry has without the texts that were sent.
  const isSent = () => inner.text !== html`${fieldsHtml({ ...state, sent: new Map() }, fields, item, name)}`.text
  return { inner, isOpen: state.opened.has(name) || (state.sent.size > 0 && isSent()) }
}
