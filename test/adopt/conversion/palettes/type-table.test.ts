import { readTypeTable } from '#adopt/conversion/palettes/type-table.ts'
import { type Notes, noteLines } from '#brand/tokens/found-styles.ts'
import { golden } from '#test/support/golden.ts'

golden('adopt/conversion/palettes/type-table', ({ table }: { table: string }) => {
  const notes: Notes = new Map()
  const [header = [], ...rows] = table.split('\n').map(line => line.split('|').map(cell => cell.trim()))
  const styles = readTypeTable({ header, rows }, notes)
  const lines = styles.map(({ name, fields }) => [name, ...Array.from(fields, pair => pair.join(' '))].join(', '))
  return { lines, notes: noteLines(notes) }
})
