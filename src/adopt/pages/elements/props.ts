import type { Value } from '#formats/markdown/mdx-syntax.ts'
import { inFormats, withoutQuery, wordTable } from '#platform/base/text.ts'
import { nameTable } from '../components.ts'

/** A prop of an element: its name, what it says (undefined if unknown), and how it is written. */
export type Prop = { name: string; value: Value | undefined; start: number; source: string }

/** What readers see of a prop. */
export type Role = 'picture' | 'dark' | 'link' | 'alt' | 'caption' | 'title' | 'text'

/**
 * What readers see of a prop, by the form of its value; names only tell the texts of HTML apart, also as the last word of
 * a name: `imageAlt`, `ctaLabel`. Identifiers, numbers, measures and colours have no role. Lists of names would have to grow
 * with each library of components, and would lose the texts of the next one.
 */
export function roleOf({ name, value }: Prop): Role | undefined {
  if (typeof value !== 'string' || isCode(name)) return undefined
  const text = value.trim()
  const named = /\p{L}/u.test(text) ? TEXTS(name) : undefined
  return named ?? ROLES.find(([, isOfRole]) => isOfRole(text, name))?.[0]
}

/** The names of texts. */
const TEXTS = nameTable(
  wordTable<Role>([
    ['alt', '*alt *alttext'],
    ['caption', '*caption'],
    ['title', '*title *label *header *heading *summary name'],
    ['text', '*text *description children'],
  ]),
)
/** The names of addresses in any form. */
const LINKS = nameTable(wordTable([['link', '*href to']]))
const ROLES: readonly (readonly [role: Role, isOfRole: (text: string, name: string) => boolean])[] = [
  ['dark', (text, name) => isPicture(text) && name.toLowerCase().includes('dark')],
  ['picture', isPicture],
  ['link', isAddress],
  ['link', (text, name) => LINKS(name) !== undefined && /^[^\s\w]{0,9}\w\S*$/.test(text)],
  ['text', text => PROSE.some(form => form.test(text))],
]

const PICTURE = inFormats('svg, png, jpg, jpeg, gif, webp, avif, mp4, webm, mov')
const PAGE = inFormats('htm, html, xhtml, md, mdx, pdf, zip')
/** A path, or an anchor but no colour. */
const ADDRESS = /^(?:\.{0,2}\/|#(?![\da-f]{3,8}$)[a-z])[^\n]*$/i
const SCHEMES = ['https://', 'http://', 'mailto:', 'tel:']
/** Words for readers, unlike `row`, `10px`, `1px solid red`, `rgb(1 2 3)` and `PrimaryButton`. */
const PROSE = [
  // A name
  /^\p{Lu}(?!\w*\p{Ll}\p{Lu})[\p{L}\p{M}'’.-]*(?![^\s,:;!?/&])/u,
  // Two words, perhaps in quotation marks or bold
  /^(?![\d.]+[a-z%]|[\w-]+\().*(?<![^\s"“„«*_])\p{L}[\p{L}\p{M}'’-]*[,;:.!?"”*_]*\s+["“„«*_]*\p{L}{2}/su,
  // A script without capital letters, or a link in Markdown
  /\p{Lo}|\]\(/u,
]

function isAddress(text: string): boolean {
  const isWhole = SCHEMES.some(scheme => text.startsWith(scheme)) && !text.includes('\n')
  return isWhole || ADDRESS.test(text) || (PAGE.test(text) && !text.includes(' '))
}

/** Whether a text is the address of a picture or film, perhaps with a query. */
function isPicture(text: string): boolean {
  return !text.includes('\n') && PICTURE.test(withoutQuery(text))
}

/** Whether a prop never has words for readers: one of HTML and React for programs. */
function isCode(name: string): boolean {
  return CODE_NAMES(name) !== undefined || CODE.test(name)
}

const CODE_NAMES = nameTable(
  wordTable([['code', 'style css sx id key ref as is rel target role xmlns d *class *classname']]),
)
const CODE = /^(?:on|v)[A-Z]|^(?:data-|[@#])/

/** Whether a prop without a role may still say something to readers: a value that is not known, a name, words or a colour. */
export function maySaySomething({ name, value }: Prop): boolean {
  return !isCode(name) && (value === undefined || UNREAD.test(`${value}`))
}

const UNREAD = /\p{Lu}|\p{L}\s+\p{L}|^#/u

export type Named = { [name: string]: Value }

export function isNamed(value: Value | undefined): value is Named {
  return typeof value === 'object' && !Array.isArray(value)
}

export function propsOf(value: Named, { start, source }: Pick<Prop, 'start' | 'source'>): Prop[] {
  return Object.entries(value).map(([name, each]) => ({ name, value: each, start, source }))
}

/** The arguments of a tag as props; those without a name have an empty one. */
export function argumentProps(given: readonly (readonly [name: string, value: string])[]): Prop[] {
  return given.map(([name, value]) => ({ name, value, start: 0, source: '' }))
}

/** Props with those of their named values instead of these: `web={{ image: "a.svg" }}`. */
export function flatProps(props: readonly Prop[]): Prop[] {
  return props.flatMap(prop =>
    isNamed(prop.value) && !isCode(prop.name) ? flatProps(propsOf(prop.value, prop)) : [prop],
  )
}
