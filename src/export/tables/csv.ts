/**
 * Rows as CSV (RFC 4180): cells in quotes if they need them, CRLF at the end of each line. The first of several rows that are
 * joined is the header.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

/**
 * A text as a cell that no spreadsheet takes for a formula. If it begins as one, it gets an apostrophe before it; a text that
 * begins with apostrophes and goes on as a formula gets another one, so that taking one away gives the text again. The same
 * applies after each semicolon, tab and line break: a spreadsheet that separates cells by semicolons begins a cell there.
 */
export function escapeFormula(text: string): string {
  const inner = text.replace(INNER_FORMULA, "$&'")
  return FORMULA.test(inner) ? `'${inner}` : inner
}

/** What formulas begin with, in the forms of East Asian keyboards too, after marks and spaces that programs may pass over. */
const FORMULA = /^['\s\p{C}]*[=+\-@\t\r＝＋－＠]/u

/** A sign that begins a cell for some spreadsheets, if a formula follows. They pass over quotes too. */
const INNER_FORMULA = /[;\t\r\n](?=['"\s\p{C}]*[=+\-@＝＋－＠])/gu

/** A list as the text of one cell: a line of CSV in itself, with a space after each comma. */
export function listCell(items: readonly string[]): string {
  return items.map(quoted).join(', ')
}

/** Spaces at the ends are lost to some readers without quotes. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
