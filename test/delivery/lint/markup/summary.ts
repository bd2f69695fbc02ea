import type { Use } from '#delivery/lint/use.ts'

/** A use in one line; `=` shows the text at its span. */
export function summaryOf(use: Use, file: string): string {
  if (use.kind === 'words')
    return `words ${JSON.stringify(use.text.replace(/\s+/g, ' ').trim())}${use.lang ? ` ${use.lang}` : ''}`
  const place = use.line === undefined ? '' : `${use.line}:${use.column} `
  if (use.kind === 'color') {
    const { span, written, role, color } = use
    const end = span ? ` = ${file.slice(span.start, span.end)}` : written.includes('(') ? ` → ${color.hex}` : ''
    return `${place}${role} ${written}${end}`
  }
  if (use.kind === 'contrast') return `${place}contrast ${use.text} ${use.ground}`
  if (use.kind === 'font') return `${place}font ${use.family}`
  if (use.kind === 'type') return `${place}type ${use.size} ${use.weight}`
  return use.kind === 'unreadable' ? `${place}unreadable: ${use.message}` : use.kind
}
