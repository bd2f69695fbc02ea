import { fieldText } from '#platform/base/text.ts'

/** A row of a table, by column. */
export type Row = ReadonlyMap<string, string>

export function tableOf(columns: readonly string[], rows: readonly Row[]): string {
  return writeTable([columns, ...rows.map(row => columns.map(column => fieldText(row, column)))])
}

/** Rows of cells as a table; the first one is its header. */
export function writeTable([header = [], ...others]: readonly (readonly string[])[]): string {
  const cells = others.map(row => header.map((_, at) => cellOf(row[at])))
  return [header.map(cellOf), header.map(() => '---'), ...cells].map(row => `| ${row.join(' | ')} |`).join('\n')
}

/** Blocks as the text of a cell. */
function cellOf(content = ''): string {
  const text = content.replace(/(?:^[-*+][ \t].*(?:\n[ \t]+.*)*\n*)+/gm, list => {
    const [, ...items] = `\n${list}`.split(/\n[-*+][ \t]+/)
    return `<ul>${items.map(item => `<li>${onOneLine(item.trim())}</li>`).join('')}</ul>`
  })
  return onOneLine(text.trim().replace(/\n\s*\n/g, '<br>')).replaceAll('|', '\\|')
}

/** A text with its line breaks as spaces. */
export function onOneLine(text: string): string {
  return text.replace(/(?<!\s)[^\S\n]*\n\s*/g, ' ')
}
