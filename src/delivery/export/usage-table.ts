import type { UsageRow } from '#brand/usage.ts'
import { csvLine, escapeFormula } from './style-tables.ts'

/** Usage as a table for spreadsheets (RFC 4180), in which none of them finds a formula. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map(({ day, kind, item, count }) => csvLine([day, kind, escapeFormula(item), `${count}`]))
  return [csvLine(['day', 'kind', 'item', 'count']), ...lines].join('')
}
