import { pageState, takeStates } from '#intake/pages/left-out.ts'
import type { YamlEntry, YamlNode } from '#intake/yaml/yaml.ts'

/** Pages that front matter keeps off a site: this one, or those below it, of which `glob` covers the path. */
export type Cascade = { glob?: string | undefined; why: string }

/** What a field of front matter says about being published. Dates only count with `today`. */
export function readState(entry: YamlEntry, today: string | undefined): 'off' | 'on' | undefined {
  const text = entry.value.kind === 'text' ? entry.value.text.trim() : ''
  const off = OFF.get(entry.key.replace(/^_/, ''))
  if (off !== undefined) return off.includes(text) ? 'off' : entry.key === 'permalink' ? undefined : 'on'
  const isDate = /date$/i.test(entry.key)
  // A page about a component has the state of that.
  if (entry.key.toLowerCase() === 'status' || (isDate && today === undefined)) return undefined
  const { states } = takeStates([entry])
  if (states.length === 0) return undefined
  if (pageState(states, today ?? LAST_DAY).leftOut !== undefined) return 'off'
  return isDate ? undefined : 'on'
}

const LAST_DAY = '9999-12-31'

/** Values of fields of Hugo and Eleventy that keep a page off. */
const OFF: ReadonlyMap<string, readonly string[]> = new Map([
  ['build.render', ['never', 'false', 'link']],
  ['build.list', ['never', 'false']],
  ['headless', ['true']],
  ['permalink', ['false']],
])

/** The states that a page hands down to those below it. */
export function readCascade(value: YamlNode, today: string | undefined): Cascade[] {
  const all = value.kind === 'list' ? value.items : [value]
  return all.flatMap(each => {
    const fields = each.kind === 'mapping' ? each.entries.flatMap(withInner) : []
    const target = fields.find(({ key }) => /^_?target\.path$/.test(key))?.value
    const off = fields.find(field => readState(field, today) === 'off')
    const why = off?.value.kind === 'text' ? `cascade: ${off.key}: ${off.value.text.trim()}` : undefined
    return why === undefined ? [] : [{ glob: target?.kind === 'text' ? target.text : undefined, why }]
  })
}

/** The keys of a mapping whose inner keys have a meaning, such as `sidebar: {order: 1}` of Starlight. */
export function withInner(entry: YamlEntry): YamlEntry[] {
  const { key, value } = entry
  if (value.kind !== 'mapping' || !/^(?:sidebar|eleventyNavigation|_?build|_?target)$/.test(key)) return [entry]
  return value.entries.map(inner => ({ ...inner, key: `${key}.${inner.key}` }))
}
