import { parseCss } from './parse-css.ts'
import { cssList, plainCss } from './values.ts'

/** A declaration: its property in lower case, its value without comments, and as it is written. */
export type CssDeclaration = { property: string; value: string; text: string }

/** A rule; `outer` has the selectors and at-rules around it, such as `media print`. */
type CssRule = { selectors: string[]; outer: string[]; declarations: CssDeclaration[] }

/** A rule, or an at-rule by its name; `statements` are at-rules without a block, such as `@import`, as written. */
export type CssBlock = CssRule & { name: string; statements: { name: string; text: string }[] }

/** The blocks of a style sheet, in its order. The first one, `outside`, has what is in no other. */
export function cssBlocks(sheet: string): CssBlock[] {
  const outside: CssBlock = { name: 'outside', selectors: [], outer: [], declarations: [], statements: [] }
  const blocks = [outside]
  /** The blocks around the current part, outermost first, with the text before their bracket: `media print`. */
  const open = [{ block: outside, head: '' }]
  for (const part of parseCss(sheet, 'css')) {
    const { block = outside } = open.at(-1) ?? {}
    if (part.kind === 'end') open.pop()
    if (part.kind === 'declaration') block.declarations.push(declarationOf(sheet, part))
    if (part.kind === 'statement') block.statements.push({ name: part.name, text: sheet.slice(part.start, part.end) })
    if (part.kind !== 'block') continue
    const text = sheet.slice(part.start, part.end)
    const outer = open.slice(1).map(({ head }) => head)
    const inner = { name: part.name, selectors: cssList(text), outer, declarations: [], statements: [] }
    open.push({ block: inner, head: `${part.name} ${plainCss(text)}`.trim() })
    blocks.push(inner)
  }
  return blocks
}

/** The declarations of a `style` attribute. */
export function styleDeclarations(style: string): CssDeclaration[] {
  return Array.from(parseCss(style, 'css')).flatMap(part =>
    part.kind === 'declaration' ? [declarationOf(style, part)] : [],
  )
}

type Part = { name: string; from: number; start: number; end: number }

function declarationOf(css: string, { name, from, start, end }: Part): CssDeclaration {
  return { property: name, value: plainCss(css.slice(start, end)), text: css.slice(from, end).trimEnd() }
}
