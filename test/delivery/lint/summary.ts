import type { Use } from '#delivery/lint/use.ts'

/** A use in one line: its place, its kind or the role of its colour, and its values; `=` shows the text at its span. */
export function summaryOf(use: Use, file = ''): string {
  const { line, column, slide, page, shape, kind, ...values } = use
  const place = [line && `${line}:${column}`, slide && `slide ${slide}`, page && `page ${page}`, shape && `in ${shape}`]
  const parts = use.kind === 'color' ? colorParts(use, file) : [kind, ...Object.entries(values).flatMap(fieldOf)]
  return [...place, ...parts].filter(part => part !== undefined).join(' ')
}

function colorParts({ role, written, color, span, shade }: Extract<Use, { kind: 'color' }>, file: string) {
  const text = span && file.slice(span.start, span.end)
  return [
    role,
    written,
    '→',
    color.hex,
    ...(color.alpha === 1 ? [] : [color.alpha]),
    text && `= ${text}`,
    shade && JSON.stringify(shade),
  ]
}

function fieldOf([name, value]: [string, unknown]): string[] {
  if (value === undefined || typeof value === 'function') return []
  return [`${name}=${typeof value === 'string' && /^[\w#.%-]+$/.test(value) ? value : JSON.stringify(value)}`]
}
