/**
 * A row of CSV (RFC 4180): cells are quoteIfNeeded if necessary, and the line ends with CRLF. In a file, the first row is the
 * header.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoteIfNeeded).join(',')}\r\n`
}

/**
 * A string as a cell that no spreadsheet parses as a formula. A formula gets an apostrophe before it. A string with
 * apostrophes before a formula gets one more, so that removing one restores the string. The same applies after each
 * semicolon, tab and line break, since some spreadsheets start a cell there.
 */
export function escapeFormula(text: string): string {
  const inner = text.replace(INNER_FORMULA, "$&'")
  return FORMULA.test(inner) ? `'${inner}` : inner
}

/**
 * The start of a formula, including East Asian full-width forms, after characters and spaces that programs may skip.
 */
const FORMULA = /^['\s\p{C}]*[=+\-@\t\r＝＋－＠]/u

/** A character that starts a cell in some spreadsheets, if a formula follows. They also skip quotes. */
const INNER_FORMULA = /[;\t\r\n](?=['"\s\p{C}]*[=+\-@＝＋－＠])/gu

/** A list as the content of one cell: itself a line of CSV, with a space after each comma. */
export function listCell(items: readonly string[]): string {
  return items.map(quoteIfNeeded).join(', ')
}

/** Some readers lose spaces at the ends of unquoted cells. */
function quoteIfNeeded(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
