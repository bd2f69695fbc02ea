import {
  colorKeyOf,
  isOnlyLabels,
  namesInks,
  namesProperty,
  namesScreenValue,
  replaceValues,
} from '#brand/styles/notation.ts'
import { anyOf, wordsIn } from '#platform/base/text.ts'

/** Words of a record that may be the name of its colour: a line, a cell, or all cells of a column. */
export type Candidate = {
  texts: readonly string[]
  /** The words before it, such as a key or the header of a column. */
  label?: string
  /** Larger for words that stand out more, such as the size of their letters. */
  size?: number
}

/**
 * Finds the words that name the colour of a record, or the colours of a table; the other words are usages or notes. Give
 * all candidates in their order, also those with values, because their labels count. A label that says "name" comes first,
 * then words without the label of a field, then a usage and a group. Among equals, a few words come before a sentence, large
 * letters before small ones, and earlier words before later ones. Returns undefined if no words can be a name, or if the
 * record describes an element instead of a colour, as in *Fill: Transparent*.
 */
export function findName<Given extends Candidate>(candidates: readonly Given[]): Given | undefined {
  const able = candidates.filter(canName).map(candidate => ({ candidate, ranks: ranksOf(candidate) }))
  const [best] = able.sort((a, b) => compareRanks(a.ranks, b.ranks)).map(({ candidate }) => candidate)
  // Words without a label are the label of the values after them.
  const labels = [...candidates, { label: best?.texts[0], ...best }].map(({ label = '' }) => label)
  return isOfProperties(labels) ? undefined : best
}

/** Whether labels describe an element, such as the ground and the border of a button, instead of a colour. */
export function isOfProperties(labels: readonly string[]): boolean {
  return labels.some(namesProperty) && !labels.some(namesScreenValue)
}

/** Whether the label allows a name, and one of the strings has more words than values and their labels. */
function canName({ texts, label }: Candidate): boolean {
  return LABELS.includes(labelKey(label)) && texts.some(text => isWords(withoutValues(text)))
}

function isWords(text: string): boolean {
  return !(isOnlyLabels(text) || colorKeyOf(text) === 'name' || MEASURE.test(text))
}

const MEASURE = new RegExp(String.raw`^\d[\d.]*${anyOf(['deg', 'px', 'pt', '%'])}`)

/** The kinds of labels whose words may be a name, from the best; undefined for words without the label of a field. */
const LABELS: readonly (string | undefined)[] = ['says name', 'name', undefined, 'use', 'group']

function labelKey(label = ''): string | undefined {
  if (SAYS_NAME.test(label)) return 'says name'
  return namesInks(label) ? 'inks' : colorKeyOf(label)
}

/** Labels that say name, which rank above labels that say colour. */
const SAYS_NAME = new RegExp(
  String.raw`^${anyOf(wordsIn('name, nombre, nome, nom, naam, namn, navn, nazwa, nimi, bezeichnung, назва, название, 名称, 이름'))}(?!\p{L})`,
  'iu',
)

/** The ranks of a candidate by each measure, the most important first; lower is better. */
function ranksOf({ texts, label, size = 0 }: Candidate): number[] {
  return [LABELS.indexOf(labelKey(label)), Number(texts.every(isSentence)), -size]
}

/** Compares lists of ranks, the most important first. */
export function compareRanks(one: readonly number[], other: readonly number[]): number {
  const differences = one.map((rank, at) => rank - (other[at] ?? 0))
  return differences.find(difference => difference !== 0) ?? 0
}

const MAX_WORDS = 6

function isSentence(text: string): boolean {
  return text.split(' ').length > MAX_WORDS
}

/** A text without values, and the marks around them. */
export function withoutValues(text: string): string {
  return withoutMarks(replaceValues(text, ' '))
}

/** The words before, between and after values. */
export function textsBetween(text: string): string[] {
  const texts = replaceValues(text, '\n').split('\n')
  return texts.map(withoutMarks).filter(each => /\p{L}{2}/u.test(each))
}

/** A text without the marks around it, and without names of variables beside other words. */
export function withoutMarks(text: string): string {
  const words = text.replaceAll(/\(\s*\)/g, ' ').replaceAll(/^[\s\p{P}]+|(?:(?!\))[\s\p{P}])+$/gu, '')
  const others = words.split(' ').filter(word => !VARIABLES.some(sign => word.startsWith(sign)))
  return others.join(' ').trim() || words
}

const VARIABLES = ['$', '--', '@']
