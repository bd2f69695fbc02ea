import { isObject, type Json, type JsonObject, textIn } from '#formats/json/json.ts'
import { inFormats, nameWords, wordSet } from '#platform/base/text.ts'
import { verdictIn } from './elements/verdict.ts'

/** Data with texts as Markdown from headings of this level: keys are headings, and records are parts with their names. */
export function dataMarkdown(value: Json, level: number): string[] {
  if (typeof value === 'string') return [value.trim()].filter(Boolean)
  if (Array.isArray(value)) return listMarkdown(value, level)
  if (!isObject(value) || isToken(value)) return []
  const [key = ''] = NAMES.filter(name => textIn(value, name).trim() !== '')
  const title = textIn(value, key)
  const about = textIn(value, 'alt') || title
  const fields = [...value].filter(([name]) => name !== key && !UNSEEN.has(name.toLowerCase()))
  const parts = (depth: number) => fields.flatMap(([name, own]) => fieldMarkdown(name, own, depth, about))
  const isJudged = verdictIn(title, 0) !== undefined
  return title === '' || isJudged ? parts(level) : [heading(title, level), ...parts(level + 1)]
}

/** Whether an object is a design token, whose description is no text of a page. */
function isToken(value: JsonObject): boolean {
  return value.has('$value') || (value.has('value') && value.has('type'))
}

function listMarkdown(items: readonly Json[], level: number): string[] {
  const texts = items.filter(item => typeof item === 'string')
  if (texts.length < items.length) return items.flatMap(item => dataMarkdown(item, level))
  return [texts.map(text => `- ${text}`).join('\n')].filter(Boolean)
}

/** A field of a record with this title, which describes its pictures. */
function fieldMarkdown(name: string, value: Json, level: number, title: string): string[] {
  if (typeof value === 'string')
    return textMarkdown({ name: name.toLowerCase(), label: titleOf(name), text: value.trim(), title })
  const inside = dataMarkdown(value, level + 1)
  const arePictures = inside.every(block => block.startsWith('!['))
  if (arePictures && verdictIn(name, 0)) return inside.map(picture => withVerdict(name, picture))
  return arePictures && PICTURES.has(name.toLowerCase()) ? inside : [heading(titleOf(name), level), ...inside]
}

/** A text in a record with this title, the name of its field, and this name in words. */
type Field = { name: string; label: string; text: string; title: string }

function textMarkdown(field: Field): string[] {
  const forms = FORMS.filter(([applies]) => applies(field)).slice(0, 1)
  return forms.map(([, write]) => write(field)).filter(Boolean)
}

/** What texts become; the first row that applies counts. */
const FORMS: readonly (readonly [applies: (field: Field) => boolean, write: (field: Field) => string])[] = [
  [({ text, title }) => ['', title].includes(text), () => ''],
  [({ text }) => PICTURE.test(text), ({ text, title }) => `![${title.replace(/[[\]]/g, '')}](<${text}>)`],
  [({ text, name }) => isLink(text) && LINKS.has(name), ({ text, title, label }) => `[${title || label}](<${text}>)`],
  [({ text }) => isLink(text), ({ text, label }) => `[${label}](<${text}>)`],
  [({ name }) => verdictIn(name, 0) !== undefined, ({ text, name }) => withVerdict(name, text)],
  [({ name }) => TEXTS.has(name), ({ text }) => text],
  [({ text }) => text.startsWith('<'), ({ text }) => text],
  [() => true, ({ text, label }) => `**${label}:** ${text}`],
]

/** A text as right or wrong, as the name of its field says. */
function withVerdict(name: string, text: string): string {
  const element = verdictIn(name, 0) === 'Do' ? 'Do' : 'Dont'
  return `<${element}>\n\n${text}\n\n</${element}>`
}

/** Whether a text is an address on the web, or from the root of the site. */
function isLink(text: string): boolean {
  return ADDRESSES.some(start => text.startsWith(start)) && !text.includes(' ')
}

const ADDRESSES = ['https://', 'http://', 'mailto:', '/']

function heading(text: string, level: number): string {
  return `${'#'.repeat(Math.min(level, 6))} ${text}`
}

/** A key in words: `tone_of_voice` is *Tone of voice*. */
export function titleOf(name: string): string {
  const words = nameWords(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Fields with the name of a record, the surest first. */
const NAMES = ['title', 'name', 'heading', 'headline', 'label', 'question', 'attribute']
/** Fields whose texts need no label. */
const TEXTS = wordSet('text description body content summary answer bio paragraph intro tagline details subtitle lead')
/** Fields for programs. */
const UNSEEN = wordSet('id slug key icon class classname style type module layout alt theme variant')
/** Fields with the address of what a record is about. */
const LINKS = wordSet('link url href')
/** Fields that say only that they have pictures. */
const PICTURES = wordSet('image images picture pictures photo photos img media')
const PICTURE = inFormats('svg, png, jpg, jpeg, webp, avif, gif')
