import { execFileSync } from 'node:child_process'

const SCRIPT = `import csv, io, json, sys
texts, is_list, delimiter = json.load(sys.stdin)
read = lambda text: list(csv.reader(io.StringIO(text, newline=""), strict=delimiter == ",", skipinitialspace=is_list, delimiter=delimiter))
print(json.dumps([read(text) for text in texts]))`

/** The rows that Python finds in CSV, as it reads commas, or what a spreadsheet may take for them. */
export function csvRows(text: string, delimiter: ',' | ';' | '\t' = ','): string[][] {
  return python([text], false, delimiter)[0] ?? []
}

/** The items that Python finds in cells that hold a list each. */
export function csvLists(cells: readonly string[]): string[][] {
  return python(cells, true).map(rows => rows[0] ?? [])
}

/** The rows below the header, by the names of their columns; what keeps formulas from running is taken away. */
export function csvRecords(text: string): Record<string, string>[] {
  const [header = [], ...rows] = csvRows(text)
  return rows.map(row => Object.fromEntries(header.map((name, at) => [name, withoutGuard(row[at] ?? '')])))
}

function python(texts: readonly string[], isList: boolean, delimiter = ','): string[][][] {
  const input = JSON.stringify([texts, isList, delimiter])
  return JSON.parse(execFileSync('python3', ['-c', SCRIPT], { input, encoding: 'utf8', maxBuffer: 1 << 26 }))
}

/** What docs/formats.md tells readers to do. */
function withoutGuard(cell: string): string {
  const inner = /^'['\s\p{C}]*[=+\-@\t\r＝＋－＠]/u.test(cell) ? cell.slice(1) : cell
  return inner.replace(/(?<=[;\t\r\n])'(?=['"\s\p{C}]*[=+\-@＝＋－＠])/gu, '')
}
