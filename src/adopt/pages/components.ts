/**
 * What components mean by their names, in any spelling and of any syntax: elements, custom elements, containers and
 * tags of templates. A name that ends in a word after `*` is one as well.
 */
const NAMES = {
  alert: `note tip info important warning caution danger success error hint notice aside admonition banner message
    messagebox messagebar infobox *callout *alert *notification`,
  box: 'bug example quote question abstract failure attention',
  details: 'details expand *accordion accordionitem collapse collapsible disclosure',
  tab: 'tab tabitem tabpanel',
  caption: '*caption',
  table: 'table',
  thead: 'thead tablehead tableheader',
  tbody: 'tbody tablebody tfoot tablefoot tablefooter',
  tr: 'tr tablerow',
  th: 'th tableheadercell tableheadcell headercell columnheader',
  td: 'td tablecell cell tabledatacell',
} as const

export type Kind = keyof typeof NAMES

const KINDS = new Map<string, Kind>()
for (const kind of ['alert', 'box', 'details', 'tab', 'caption', 'table', 'thead', 'tbody', 'tr', 'th', 'td'] as const)
  for (const name of NAMES[kind].split(/\s+/)) KINDS.set(name, kind)
const ENDINGS = [...KINDS].filter(([name]) => name.startsWith('*'))

/** The names of a kind as a part of a pattern. */
export function namesOf(...kinds: (keyof typeof NAMES)[]): string {
  return kinds.flatMap(kind => NAMES[kind].replaceAll('*', '').split(/\s+/)).join('|')
}

/** The meaning of a component such as `TabItem`, `tab-item` or `Tabs.Item`; undefined if its name says none. */
export function kindOf(name: string): Kind | undefined {
  const plain = name.toLowerCase().replace(/^tabs\.|[-_.]/g, '')
  return KINDS.get(plain) ?? ENDINGS.find(([ending]) => plain.endsWith(ending.slice(1)))?.[1]
}
