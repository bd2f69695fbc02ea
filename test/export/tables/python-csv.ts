import { execFileSync } from 'node:child_process'

const SCRIPT = `import csv, io, json, sys
texts, is_list = json.load(sys.stdin)
read = lambda text: list(csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=is_list))
print(json.dumps([read(text) for text in texts]))`

/** The rows that Python finds in CSV. */
export function csvRows(text: string): string[][] {
  return python([text], false)[0] ?? []
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

function python(texts: readonly string[], isList: boolean): string[][][] {
  const input = JSON.stringify([texts, isList])
  return JSON.parse(execFileSync('python3', ['-c', SCRIPT], { input, encoding: 'utf8', maxBuffer: 1 << 26 }))
}

/** What docs/exports.md tells readers to do. */
function withoutGuard(cell: string): string {
  return /^'['\s\p{C}]*[=+\-@\t\r＝＋－＠]/u.test(cell) ? cell.slice(1) : cell
}
