import { groupsOf } from '#platform/base/text.ts'
import { alertKind } from '../alert-kind.ts'
import { kindOf } from '../components.ts'
import { colorsOf, type Rows } from './color-rows.ts'
import { blocksOf, readSaid } from './element-text.ts'
import type { Prop } from './props.ts'
import { roleOf } from './props.ts'
import type { Row } from './tables.ts'
import { readVerdict, verdictIn } from './verdict.ts'

/** What an element becomes with the text of its other props and in it. */
type Form = { became: string; rest: Prop[]; shape: (text: string) => { text: string; rows?: Row[] } }

/**
 * The form of an element that is more than its texts: rows of colours, or of what to do and not to do, and alerts.
 *
 * @param page the text of the page, with other elements of the same name
 */
export function formOf(name: string, props: readonly Prop[], page: string): Form | undefined {
  const found = pairsOf(props) ?? colorsOf(name, props)
  if (found) return { ...found, shape: text => ({ text, rows: found.rows }) }
  const said = readVerdict(name, props, page)
  if (said) {
    const { verdict, rest } = said
    return { became: verdict, rest, shape: text => ({ text: '', rows: [new Map([[verdict, text]])] }) }
  }
  if (kindOf(name) !== 'alert') return undefined
  const type = props.find(prop => typeof prop.value === 'string' && roleOf(prop) === undefined)
  const start = `[!${alertKind(`${type?.value ?? name}`)}]`
  const shape = (text: string) => ({ text: `${start}\n${text}`.replace(/^/gm, '> ').replace(/(?<! ) +$/gm, '') })
  return { became: 'an alert', rest: props.filter(prop => prop !== type), shape }
}

/** What one element says to do and not to do, such as `doText` and `dontImage`. */
function pairsOf(props: readonly Prop[]): Rows | undefined {
  const signOf = ({ name, value }: Prop) =>
    typeof value === 'boolean' ? undefined : verdictIn(groupsOf(PAIR, name)[1] ?? '', 0)
  const { rest = [], ...signed } = Object.groupBy(props, prop => signOf(prop) ?? 'rest')
  const rows = Object.entries(signed).map(([verdict, own]) => {
    const said = readSaid(own.map(prop => ({ ...prop, name: groupsOf(PAIR, prop.name)[2] || 'text' })))
    rest.push(...said.rest)
    return new Map([[verdict, blocksOf(said).join('\n\n')]])
  })
  return rows.length === 0 ? undefined : { rows, rest, became: 'what to do and not to do' }
}

/** The first word of a name, and the others. */
const PAIR = /^(do_?n'?ts?|[a-z]+)(|[A-Z]\w*)$/
