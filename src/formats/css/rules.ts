import { parseCss } from './parse-css.ts'

/** A declaration: its property in lower case, its value without comments, and as it is written. */
export type CssDeclaration = { property: string; value: string; text: string }

/** A rule; `outer` has the selectors and at-rules around it, such as `media print`. */
export type CssRule = { selectors: string[]; outer: string[]; declarations: CssDeclaration[] }

/** The rules of a style sheet, in its order. */
export function cssRules(sheet: string): CssRule[] {
  const rules: CssRule[] = []
  const open: (CssRule & { head: string })[] = []
  for (const part of parseCss(sheet, 'css')) {
    if (part.kind === 'end') open.pop()
    if (part.kind === 'declaration') open.at(-1)?.declarations.push(declarationOf(sheet, part))
    if (part.kind !== 'block') continue
    const text = plainText(sheet.slice(part.start, part.end))
    const outer = open.map(({ head }) => head)
    const rule = { selectors: text.split(',').map(each => each.trim()), outer, declarations: [] }
    open.push({ ...rule, head: `${part.name} ${text}`.trim() })
    if (part.name === '') rules.push(rule)
  }
  return rules
}

/** The declarations of a `style` attribute. */
export function styleDeclarations(style: string): CssDeclaration[] {
  return Array.from(parseCss(style, 'css')).flatMap(part =>
    part.kind === 'declaration' ? [declarationOf(style, part)] : [],
  )
}

type Part = { name: string; from: number; start: number; end: number }

function declarationOf(css: string, { name, from, start, end }: Part): CssDeclaration {
  return { property: name, value: plainText(css.slice(start, end)), text: css.slice(from, end).trimEnd() }
}

function plainText(text: string): string {
  return text.replace(COMMENT, ' ').replace(/\s+/g, ' ').trim()
}

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g
