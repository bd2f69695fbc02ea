import { execFileSync } from 'node:child_process'

const SCRIPT = `import csv, io, json, sys
texts, is_list, delimiter = json.load(sys.stdin)
read = lambda text: list(csv.reader(io.StringIO(text, newline=""), strict=delimiter == ",", skipinitialspace=is_list, delimiter=delimiter))
print(json.dumps([read(text) for text in texts]))`

/** The rows that Python reads from CSV, with the delimiter of a CSV reader or of a spreadsheet. */
export function csvRows(text: string, delimiter: ',' | ';' | '\t' = ','): string[][] {
  return python([text], false, delimiter)[0] ?? []
}

/** The items that Python reads from list cells. */
export function csvLists(cells: readonly string[]): string[][] {
  return python(cells, true).map(rows => rows[0] ?? [])
}

/** The rows below the header, keyed by column name, without the guard against formulas. */
export function csvRecords(text: string): Record<string, string>[] {
  const [header = [], ...rows] = csvRows(text)
  return rows.map(row =>
    Object.fromEntries(header.map((name, at) => [withoutGuard(name), withoutGuard(row[at] ?? '')])),
  )
}

function python(texts: readonly string[], isList: boolean, delimiter = ','): string[][][] {
  const input = JSON.stringify([texts, isList, delimiter])
  return JSON.parse(
    execFileSync('python3', ['-I', '-S', '-c', SCRIPT], { input, encoding: 'utf8', maxBuffer: 1 << 26 }),
  )
}

/** Removes the guard as docs/formats.md advises. */
function withoutGuard(cell: string): string {
  const inner = /^'['\s\p{C}]*[=+\-@\t\r＝＋－＠]/u.test(cell) ? cell.slice(1) : cell
  return inner.replace(/(?<=[;\t\r\n])'(?=['"\s\p{C}]*[=+\-@＝＋－＠])/gu, '')
}
