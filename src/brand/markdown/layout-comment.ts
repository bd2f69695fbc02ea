import { groupsOf } from '#platform/base/text.ts'
/** An HTML comment that composes the blocks after it. `ground` begins a band in a colour, which `/ground` ends. */
export type LayoutComment =
  | { name: 'full' | 'wide' | 'split' | '/ground'; value?: never }
  | { name: 'ground'; value: string }
  | { name: 'columns'; value: number }

/** The layout comment with this text between `<!--` and `-->`; undefined for any other comment. */
export function layoutComment(text: string): LayoutComment | undefined {
  const [, word, color, columns] = groupsOf(LAYOUT, text.trim())
  if (color !== undefined) return { name: 'ground', value: color }
  if (columns !== undefined) return { name: 'columns', value: Number(columns) }
  return word === 'full' || word === 'wide' || word === 'split' || word === '/ground' ? { name: word } : undefined
}

const LAYOUT = /^(?:(full|wide|split|\/ground)|ground:\s*(\S{1,200})|columns:\s*([2-6]))$/
