import { parse } from 'csv-parse/sync'

/**
 * The rows of a table of separated values (RFC 4180), at most `count` of them, each with its cells.
 *
 * @throws {Error} if it is not such a table; the message says where
 */
export function csvRows(text: string, delimiter: string, count?: number): string[][] {
  return parse(text, { ...OPTIONS, delimiter, ...(count !== undefined && { to: count }) })
}

const OPTIONS = { bom: true, trim: true, relax_column_count: true, max_record_size: 1 << 20 }
