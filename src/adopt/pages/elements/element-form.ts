import { spacedName } from '#platform/base/text.ts'
import { alertKind, isAlert, kindOf } from '../components.ts'
import { colorsOf, namesColors, type Rows } from './color-rows.ts'
import { blocksOf, bold, isParagraph, offered, readSaid, takeContent } from './element-text.ts'
import type { Prop } from './props.ts'
import { roleOf } from './props.ts'
import { onOneLine, type Row } from './tables.ts'
import { readVerdict, verdictIn } from './verdict.ts'

/** An element of any syntax: a component, a tag of templates or a container, with its content as Markdown. */
export type ForeignElement = { name: string; props: readonly Prop[]; content: string }
/** What an element becomes, and the props that this does not say. */
export type Shape = { became: string; text: string; rows: Row[]; caption: string; rest: Prop[]; isFramed: boolean }

/**
 * What an element becomes: its pictures, links and texts, then its content; or rows of colours or of what to do and not to
 * do, or an alert.
 *
 * @param heading writes the title above content; without it, the element is in a sentence
 */
export function shapeOf(element: ForeignElement, heading?: (title: string) => string): Shape {
  const { name, content } = element
  const { props, left } = takeContent(element.props, content, namesColors(name))
  const form = heading ? formOf(name, props) : plainForm(props)
  const isFramed = form.became !== PLAIN
  const said = kindOf(name) === 'download' ? offered(readSaid(form.rest)) : readSaid(form.rest)
  const title = left === '' || isFramed ? bold : heading
  const blocks = blocksOf(said, heading ? title : String)
  const text = [...blocks, left].filter(block => block !== '').join(heading ? '\n\n' : ' ')
  const caption = kindOf(name) === 'caption' && isParagraph(text) ? onOneLine(text) : ''
  return { became: form.became, caption, rest: said.rest, isFramed, ...form.shape(text) }
}

/** What an element becomes with the text of its other props and in it. */
type Form = { became: string; rest: Prop[]; shape: (text: string) => { text: string; rows: Row[] } }

const PLAIN = 'Markdown'

function plainForm(props: Prop[]): Form {
  return { became: PLAIN, rest: props, shape: text => ({ text, rows: [] }) }
}

function formOf(name: string, props: Prop[]): Form {
  const found = pairsOf(props) ?? colorsOf(name, props)
  if (found) return { ...found, shape: text => ({ text, rows: found.rows }) }
  const said = readVerdict(name, props)
  if (said) {
    const { verdict, rest } = said
    return { became: verdict, rest, shape: text => ({ text: '', rows: [new Map([[verdict, text]])] }) }
  }
  if (kindOf(name) !== 'alert') return plainForm(props)
  const { start, rest } = alertOf(name, props)
  const quoted = (text: string) => [start, ...text.split('\n')].map(line => `> ${line}`.trimEnd()).join('\n')
  return { became: 'an alert', rest, shape: text => ({ text: quoted(text), rows: [] }) }
}

/** The first line of an alert, by a prop such as `type="warning"` or the name, and the other props. */
export function alertOf(name: string, props: readonly Prop[]): { start: string; rest: Prop[] } {
  const type = props.find(prop => roleOf(prop) === undefined && isAlert(`${prop.value}`))
  return { start: `[!${alertKind(`${type?.value ?? name}`)}]`, rest: props.filter(prop => prop !== type) }
}

/** What one element says to do and not to do, such as `doText` and `dontImage`. */
function pairsOf(props: readonly Prop[]): Rows | undefined {
  const signOf = ({ name, value }: Prop) => (typeof value === 'boolean' ? undefined : verdictIn(pairOf(name).sign, 0))
  const { rest = [], ...signed } = Object.groupBy(props, prop => signOf(prop) ?? 'rest')
  const rows = Object.entries(signed).map(([verdict, own]) => {
    const said = readSaid(own.map(prop => ({ ...prop, name: pairOf(prop.name).name || 'text' })))
    rest.push(...said.rest)
    return new Map([[verdict, blocksOf(said).join('\n\n')]])
  })
  return rows.length === 0 ? undefined : { rows, rest, became: 'what to do and not to do' }
}

/** The first word of a name, which may be a sign, and the name that the others are: `Image` of `dontImage`. */
function pairOf(name: string): { sign: string; name: string } {
  const [sign = '', ...words] = spacedName(name).split(' ')
  return { sign, name: words.join('') }
}
