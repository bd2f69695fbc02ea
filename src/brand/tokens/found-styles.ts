import type { Json } from '#formats/json/json.ts'
import { quote } from '#platform/base/text.ts'

/** The styles of one file, in order, with notes about ignored or changed values. */
export type FoundStyles = {
  colors: FoundStyle[]
  types: FoundStyle[]
  notes: Notes
  role?: TokenFileRole
  faces?: readonly FontFace[]
}

/** What an `@font-face` of a style sheet names, and the addresses of its files. */
export type FontFace = { family: string; addresses: readonly string[] }

/** Whether a file is a resolver document, or one of the files that such a document names for its default or other contexts. */
export type TokenFileRole = 'resolver' | 'default' | 'other'

/** A style of a file, with unchecked values for the keys of its YAML file. It has an id only if the file gives one. */
export type FoundStyle = { id?: string; name: string; fields: Map<string, Json>; token?: TokenPlace }

/** The set, groups and name of the token of a style, and the name of the token that it only names. */
export type TokenPlace = { set: string; path: string; alias?: string | undefined }

/** Whether a token is in a group, which may be named without those around it. */
export function isInGroup({ set, path }: TokenPlace, group: string): boolean {
  const words = (text: string) => `.${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '.')}.`
  return words(`${set}.${path}`).includes(words(group))
}

/** The values that a reader left out or changed, by their kinds and details. */
export type Notes = Map<string, Note>

type Note = { kind: NoteKind; detail: string; subjects: Subject[]; count: number }

/** The subject of a note: its name, its value if the note is all that remains of it, and its line if that is known. */
export type Subject = { name: string; value?: string; line?: number }

export function addNote(notes: Notes, subject: string | Subject, kind: NoteKind, detail = ''): void {
  const key = `${kind} ${detail}`
  const note = notes.get(key) ?? { kind, detail, subjects: [], count: 0 }
  if (note.subjects.length < MAX_KEPT) note.subjects.push(typeof subject === 'string' ? { name: subject } : subject)
  note.count += 1
  notes.set(key, note)
}

const MAX_KEPT = 10_000

/** One line for each note: `"a", "b" and 3 more: a single token of the type "shadow" is not a style; left out`. */
export function noteLines(notes: Notes): string[] {
  return Array.from(notes.values(), ({ kind, detail, subjects, count }) => {
    const { text, end, advice, listed } = rowOf(kind)
    const names = subjects.slice(0, listed).map(({ name }) => quote(name))
    const more = count > names.length ? ` and ${count - names.length} more` : ''
    const ending = (end ? `; ${end}` : '') + (advice ? `: ${textOf(advice, detail)}` : '')
    return `${names.join(', ')}${more}: ${textOf(text, detail)}${ending}`
  })
}

/** The text of a note as the end of a sentence, without what happened to the value: `is not six hex digits`. */
export function noteText(kind: NoteKind, detail = ''): string {
  const { text, advice } = rowOf(kind)
  return textOf(text, detail) + (advice ? `; ${textOf(advice, detail)}` : '')
}

function textOf(text: Text, detail: string): string {
  return typeof text === 'string' ? text : text(detail)
}

/** Whether a value of a note is lost; others were changed. */
export function isLoss(kind: NoteKind): boolean {
  return rowOf(kind).end !== undefined
}

export type NoteKind = keyof typeof NOTES

/** The text of a note, how it ends if the value is lost, what to do, and how many subjects its line lists. */
type NoteRow = { text: Text; end?: string; advice?: Text; listed: number }
type Text = string | ((detail: string) => string)

function rowOf(kind: NoteKind): NoteRow {
  return NOTES[kind]
}

export const TOO_MANY_TOKENS = 'has groups that extend others to more tokens than can be read: write them out'

const ADD_HEX = 'add it with its hex to styles/colors.yaml'

function lost(text: Text, listed = 5, end = 'left out'): NoteRow {
  return { text, end, listed }
}

function ignored(text: Text): NoteRow {
  return lost(text, 5, 'ignored')
}

function cut(text: Text): NoteRow {
  return lost(text, 5, 'the rest is left out')
}

function changed(text: Text, listed = 5): NoteRow {
  return { text, listed }
}

/** All kinds of notes. Notes on subjects that differ in kind, such as columns, list more of them. */
const NOTES = {
  aboveTable: lost('a line above the table'),
  alphaNoNumber: ignored('its alpha is not a number'),
  brokenExtends: ignored('its "$extends" names no group, or is circular'),
  choicesOfSets: lost('choices of sets are not read'),
  cleaned: changed(what => `has ${what} that is too long or has control characters; shortened or cleaned`),
  comment: lost('a comment'),
  computed: lost(text => `is computed (${quote(text)}); write the value itself`),
  explained: lost(message => message, 5, ''),
  familyNoText: lost('"fontFamily" has items that are not text'),
  filesOfFont: lost('files of a font are not read'),
  groupOfExport: changed('a group of an export, which says how its colours are made; their groups stay empty'),
  hexNoDigits: ignored('its "hex" is not six hex digits'),
  inRem: changed('"fontSize" is in rem; converted to px at 16 per rem'),
  inkWithoutColor: lost('is an ink whose values match no colour'),
  lostMember: lost(problem => problem),
  lostZeros: lost('has fewer digits than others of its column; a spreadsheet may have removed zeros: write all six'),
  mapped: changed('sRGB cannot show this; mapped to the nearest colour that it can show (CSS Color 4 §13)', Infinity),
  modified: lost('is computed from another colour ("modify"); write the value itself'),
  moreCells: lost('has more cells than the table has columns', 5, 'the extra ones are left out'),
  nameless: lost('has no name'),
  neitherTokenNorGroup: lost('this is neither a token nor a group', 100),
  nestedTooDeep: cut('is nested too deep'),
  noChannels: lost(count => `is not ${count} numbers from 0 to 255 and a name`),
  noColor: lost(value => `is ${quote(value)}, which is not a colour`),
  noDescription: lost('type styles have no description'),
  noFamily: lost(value => `"fontFamily" is ${value}, which is not a font family`),
  noLength: lost(value => `"fontSize" is ${value}, which is not a length in px or rem`),
  noParts: lost('has no value with the parts of a type style'),
  noScreenModel: lost(value => `has only a ${value} and none for screens`),
  noStyle: lost('is not a style with a name'),
  noToken: lost(name => `refers to ${name}`),
  notConverted: lost(value => value),
  notInOrder: lost('is not in "resolutionOrder"'),
  notInResolver: lost('is not in the resolver file'),
  notOpaque: lost('is not opaque, but guide colours must be opaque'),
  onlyPrint: { ...lost(print => `has no value for screens${print}`), advice: ADD_HEX },
  otherContext: lost(context => `not the default context (${quote(context)})`),
  otherHex: ignored('its "hex" is another colour than its components, which count'),
  otherInk: {
    ...lost('is an ink of another system'),
    advice: (name: string) => `write it under "inks" of ${quote(name)}`,
  },
  otherMode: lost('a value of a mode that is not the default', Infinity),
  otherPrint: { ...lost(print => `differs from the other colour with its name${print}`), advice: ADD_HEX },
  otherScheme: lost(scheme => `a value for ${scheme}`, Infinity),
  otherType: lost(type => `a single token of the type ${quote(type)} is not a style`),
  outOfRange: lost(model => `has ${model} values outside 0 to 1`),
  partOfResolver: changed('a part of the resolver file; give it too, with --from'),
  readAsPx: changed(multiple => `"lineHeight" is more than ${multiple} without a unit; read as px`),
  refersToItself: lost('refers to itself'),
  refersToTooMuch: lost(size => `refers to others that make more than ${size} values of it`),
  refersTooFar: lost(length => `refers to others through more than ${length} tokens`),
  replaced: lost('a later set has another value, which counts'),
  sameId: changed('has the same id as a style with other values; it gets a number'),
  sassRefused: changed(problem => `Sass refuses it: ${problem}; if values are missing, add its CSS to the source`),
  secondValue: lost(key => `is a second value for ${quote(key)}`),
  secondVariable: lost('a second value of a variable', Infinity),
  singleElements: lost('a variable of single elements or sizes of screens'),
  someOfValues: lost(part => `has only ${part}`),
  tooManySources: cut(most => `has more than ${most} sources, or too large ones`),
  tooManyTokens: cut(TOO_MANY_TOKENS),
  twice: changed('occurs twice in one object; the last value counts'),
  unknownBlock: lost(type => `has the unknown type ${quote(type)}`),
  unknownColumn: lost('unknown column', 100),
  unknownKey: lost(key => `has the unknown key ${quote(key)}`),
  unknownSpace: changed('has a colour space or components that are unknown; its "hex" counts'),
  unread: lost('is not read', 100),
  unreadKey: lost(key => `${quote(key)} is not read`),
  unsupportedKey: lost(key => `type styles do not support ${quote(key)}`),
  unsupportedValue: lost(value => `${value}, which type styles do not support`),
  untyped: lost('has no type, and its value is neither a colour nor a type style'),
  unusable: lost(message => message),
}
