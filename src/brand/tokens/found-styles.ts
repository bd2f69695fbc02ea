import type { Json } from '#formats/json/json.ts'
import { quote } from '#platform/base/text.ts'

/** The styles of one file, in order, with notes about ignored or changed values. */
export type FoundStyles = {
  colors: FoundStyle[]
  types: FoundStyle[]
  notes: Notes
  role?: TokenFileRole
  sheet?: SheetFacts
}

/** What a style sheet says apart from its variables: its `@font-face` rules, and its colours of links and buttons, as hex. */
export type SheetFacts = { faces: FontFace[]; links: string[] }

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

/** One line for each note: `"a", "b" and 3 more: a single token of this type is not a style (shadow); left out`. */
export function noteLines(notes: Notes): string[] {
  return Array.from(notes.values(), note => {
    const { text, end, advice } = rowOf(note.kind)
    const ending = (end ? `; ${end}` : '') + (advice ? `: ${advice}` : '')
    return `${subjectsText(note)}: ${text}${inBrackets(note.detail)}${ending}`
  })
}

/** The first subjects of a note, and the number of the others. */
function subjectsText({ kind, subjects, count }: Note): string {
  const names = subjects.slice(0, rowOf(kind).listed).map(({ name }) => quote(name))
  return names.join(', ') + (count > names.length ? ` and ${count - names.length} more` : '')
}

/** The first note as the reason why a guide has nothing of a file: its kind, and its subjects with what differs. */
export function firstReason(notes: Notes): { reason: string; detail: string } | undefined {
  const [first] = notes.values()
  return first && { reason: kindText(first.kind), detail: subjectsText(first) + inBrackets(first.detail) }
}

function inBrackets(detail: string): string {
  return detail === '' ? '' : ` (${detail})`
}

/** The text of a note as the end of a sentence, without what happened to the value: `is not six hex digits`. */
export function noteText(kind: NoteKind, detail = ''): string {
  return kindText(kind) + inBrackets(detail)
}

/** The text that all notes of a kind have, whatever their details. */
export function kindText(kind: NoteKind): string {
  const { text, advice } = rowOf(kind)
  return text + (advice ? `; ${advice}` : '')
}

/** Whether a value of a note is lost; others were changed. */
export function isLoss(kind: NoteKind): boolean {
  return rowOf(kind).end !== undefined
}

/** Whether a value serves the parts of a website, and is no style of a brand. */
export function isTechnical(kind: NoteKind): boolean {
  return TECHNICAL.has(kind)
}

export type NoteKind = keyof typeof NOTES

/** The text of a note, how it ends if the value is lost, what to do, and how many subjects its line lists. */
type NoteRow = { text: string; end?: string; advice?: string; listed: number }

function rowOf(kind: NoteKind): NoteRow {
  return NOTES[kind]
}

export const TOO_MANY_TOKENS = 'has groups that extend others to more tokens than can be read: write them out'

const ADD_HEX = 'add it with its hex to styles/colors.yaml'
const WRITE_VALUE = 'write the value itself'

function lost(text: string, listed = 5, end = 'left out'): NoteRow {
  return { text, end, listed }
}

function ignored(text: string): NoteRow {
  return lost(text, 5, 'ignored')
}

function cut(text: string): NoteRow {
  return lost(text, 5, 'the rest is left out')
}

function changed(text: string, listed = 5): NoteRow {
  return { text, listed }
}

/** All kinds of notes. Notes on subjects that differ in kind, such as columns, list more of them. */
const NOTES = {
  aboveTable: lost('a line above the table'),
  alphaNoNumber: ignored('its alpha is not a number'),
  brokenExtends: ignored('its "$extends" names no group, or is circular'),
  choicesOfSets: lost('choices of sets are not read'),
  cleaned: changed('has text that is too long or has control characters; shortened or cleaned'),
  comment: lost('a comment'),
  computed: { ...lost('is computed'), advice: WRITE_VALUE },
  explained: lost('has a value in a form that a guide cannot have', 5, ''),
  familyNoText: lost('"fontFamily" has items that are not text'),
  filesOfFont: lost('files of a font are not read'),
  groupOfExport: changed('a group of an export, which says how its colours are made; their groups stay empty'),
  hexNoDigits: ignored('its "hex" is not six hex digits'),
  inRem: changed('"fontSize" is in rem; converted to px at 16 per rem'),
  inkWithoutColor: lost('is an ink whose values match no colour'),
  lostMember: lost('has a part that cannot be read'),
  lostZeros: lost('has fewer digits than others of its column; a spreadsheet may have removed zeros: write all six'),
  mapped: changed('sRGB cannot show this; mapped to the nearest colour that it can show (CSS Color 4 §13)', Infinity),
  modified: { ...lost('is computed from another colour ("modify")'), advice: WRITE_VALUE },
  moreCells: lost('has more cells than the table has columns', 5, 'the extra ones are left out'),
  nameless: lost('has no name'),
  neitherTokenNorGroup: lost('this is neither a token nor a group', 100),
  nestedTooDeep: cut('is nested too deep'),
  noChannels: lost('does not begin with its numbers from 0 to 255'),
  noColor: lost('is not a colour'),
  noDescription: lost('type styles have no description'),
  noFamily: lost('"fontFamily" is not a font family'),
  noLength: lost('"fontSize" is not a length in px or rem'),
  noParts: lost('has no value with the parts of a type style'),
  noScreenModel: lost('has no value for screens'),
  noStyle: lost('is not a style with a name'),
  noToken: lost('refers to something that the files do not have'),
  notConverted: lost('has a length that cannot be converted'),
  notInOrder: lost('is not in "resolutionOrder"'),
  notInResolver: lost('is not in the resolver file'),
  notOpaque: lost('is not opaque, but guide colours must be opaque'),
  onlyPrint: { ...lost('has values only for print'), advice: ADD_HEX },
  otherContext: lost('not the default context'),
  otherHex: ignored('its "hex" is another colour than its components, which count'),
  otherInk: { ...lost('is an ink of another system'), advice: 'write it under "inks" of its colour' },
  otherMode: lost('a value of a mode that is not the default', Infinity),
  otherPrint: { ...lost('differs from the other colour with its name'), advice: ADD_HEX },
  otherScheme: lost('a value for dark or another scheme', Infinity),
  otherType: lost('a single token of this type is not a style'),
  outOfRange: lost('has values outside 0 to 1'),
  partOfResolver: changed('a part of the resolver file; give it too, with --from'),
  readAsPx: changed('"lineHeight" is more than 4 without a unit; read as px'),
  refersToItself: lost('refers to itself'),
  refersToTooMuch: lost('refers to others that make too many values of it'),
  refersTooFar: lost('refers to others through too many tokens'),
  replaced: lost('a later set has another value, which counts'),
  sameId: changed('has the same id as a style with other values; it gets a number'),
  sameValue: changed('has the value of another colour, whose name counts'),
  sassRefused: { ...changed('Sass refuses it'), advice: 'if values are missing, add its CSS to the source' },
  secondValue: lost('is a second value of one kind'),
  secondVariable: lost('a second value of a variable', Infinity),
  singleElements: lost('a variable of single elements or sizes of screens'),
  someOfValues: lost('has only some of the values of a colour'),
  tooManySources: cut('has too many sources, or too large ones'),
  tooManyTokens: cut(TOO_MANY_TOKENS),
  twice: changed('occurs twice in one object; the last value counts'),
  unknownBlock: lost('has an unknown type'),
  unknownColumn: lost('unknown column', 100),
  unknownKey: lost('has an unknown key'),
  unknownSpace: changed('has a colour space or components that are unknown; its "hex" counts'),
  unread: lost('is not read', 100),
  unreadKey: lost('has a key that is not read'),
  unsupportedKey: lost('type styles do not support this key'),
  unsupportedValue: lost('type styles do not support this value'),
  untyped: lost('has no type, and its value is neither a colour nor a type style'),
  unusable: lost('has a value that a guide cannot have'),
}

const TECHNICAL: ReadonlySet<NoteKind> = new Set(['otherType', 'singleElements', 'untyped'])
