import { lettersOf, wordTable } from '#platform/base/text.ts'

export type Kind = 'alert' | 'box' | 'code' | 'titled' | 'caption' | 'download' | 'table' | 'tr' | 'th' | 'td'

/**
 * What components mean by their names, in any spelling and of any syntax: elements, custom elements, containers and
 * tags of templates. A name that ends in a word after `*` is one as well. A box is an alert where names are those of
 * containers: other programs have elements for quotations and examples.
 */
const KINDS = wordTable<Kind>([
  [
    'alert',
    `note tip info important warning caution danger success error hint notice aside admonition banner message
    messagebox messagebar infobox *callout *alert *notification`,
  ],
  ['box', 'bug example quote question abstract failure attention'],
  ['code', 'highlight codetoggle'],
  ['titled', 'details expand *accordion accordionitem collapse collapsible disclosure tab tabitem tabpanel'],
  ['caption', '*caption'],
  ['download', '*download'],
  ['table', 'table'],
  ['tr', 'tr tablerow'],
  ['th', 'th tableheadercell tableheadcell headercell columnheader'],
  ['td', 'td tablecell cell tabledatacell'],
])

/** The meaning of a component such as `TabItem` or `tab-item`; undefined if its name says none. */
export const kindOf = nameTable(KINDS)

/** Finds what a name means in any spelling: `*` stands for the beginning of names. */
export function nameTable<Meaning>(table: ReadonlyMap<string, Meaning>): (name: string) => Meaning | undefined {
  const endings = Array.from(table).filter(([name]) => name.startsWith('*'))
  return name => {
    const plain = lettersOf(name)
    return table.get(plain) ?? endings.find(([ending]) => plain.endsWith(ending.slice(1)))?.[1]
  }
}

/** Whether a word is the name of an alert or box. */
export function isAlert(word: string): boolean {
  return ALERT_KINDS.has(kindOf(word))
}

const ALERT_KINDS: ReadonlySet<Kind | undefined> = new Set(['alert', 'box'])

/** The words in names of components by the alert that they mean. `?` and `!` are the marks of notes. */
const ALERTS = wordTable([
  ['TIP', 'tip hint success ?'],
  ['IMPORTANT', 'important !'],
  ['WARNING', 'warn attention'],
  ['CAUTION', 'caution danger error fail bug'],
])

/** The alert that is closest to a component of another program, by the name of that. */
export function alertKind(name: string): string {
  const plain = name.toLowerCase()
  return [...ALERTS].find(([word]) => plain.includes(word))?.[1] ?? 'NOTE'
}
