import { slug } from '#brand/ids.ts'
import { ITEMS, moduleValue } from '#formats/json/module-value.ts'
import { isObject, listIn } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { colorsOf } from './elements/color-rows.ts'
import type { Row } from './elements/tables.ts'
import { paletteLink } from './markup.ts'
import type { PageFacts } from './page.ts'

/** A tag that shows colours, such as `{% swatchList { use: "web", group: "blue" } %}`, and the text of its page. */
type ColorTag = { name: string; named: ReadonlyMap<string, string>; text: string; facts: PageFacts }

/**
 * The colours that a tag chooses with its arguments: those of a list on its page, or a group of the guide, whose other
 * arguments are `unsaid`, such as `use: web`; undefined if it names neither.
 */
export function chosenColors({ name, named, text, facts }: ColorTag) {
  const choices = [...named]
  for (const [key, value] of choices) {
    const records = recordsOf(value, text)
    const others = choices.filter(([other]) => other !== key)
    if (records.length > 0) return { text: '', rows: rowsOf(name, records, others), unsaid: [] }
  }
  const groups = new Set(facts.groups)
  const [group] = choices.filter(([, value]) => groups.has(slug(value)))
  if (group === undefined) return undefined
  const others = choices.filter(choice => choice !== group)
  return { text: paletteLink(slug(group[1])), rows: [], unsaid: others.map(([key, value]) => `${key}: ${value}`) }
}

type Fields = { [key: string]: string }

/** The records with text in a list that a page gives a name: `{% set examples = [{ label: "Sea", hex: "#0B3C5D" }] %}`. */
function recordsOf(name: string, text: string): Fields[] {
  const list = new RegExp(String.raw`\{%-?\s{0,3}set\s{1,3}${RegExp.escape(name)}\s{0,3}=([\s\S]{0,50000}?)-?%\}`)
  const source = groupsOf(list, text)[1]
  const value = source && attempt(() => moduleValue(`export default ${source}`, 'js'))
  const items = isObject(value) ? listIn(value[ITEMS]).filter(isObject) : []
  return items.map(item => Object.fromEntries(Object.entries(item).filter(isText)))
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}

/** The records whose fields are as chosen, without these fields, as rows of a table. */
function rowsOf(name: string, records: readonly Fields[], choices: readonly (readonly [string, string])[]): Row[] {
  const keys = new Set(choices.map(([key]) => key))
  const chosen = records.filter(record => choices.every(([key, value]) => [value, undefined].includes(record[key])))
  const value = chosen.map(record => Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key))))
  return colorsOf(name, [{ name: '', value, start: 0, source: '' }])?.rows ?? []
}
