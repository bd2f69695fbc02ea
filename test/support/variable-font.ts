import { readFileSync } from 'node:fs'
import { sfnt, type Tables, tablesOf } from './sfnt.ts'

/** An axis of a font: its tag, and its minimum, default and maximum. */
export type Axis = [tag: string, min: number, usual: number, max: number]

/** Inter as a ttf, with some of its tables changed. */
export function interWith(changed: Record<string, Buffer>): Buffer {
  const tables: Tables = new Map([...INTER, ...Object.entries(changed)])
  return sfnt(tables)
}

/** Inter with axes that have no names, and outlines that do not vary. */
export function variableInter(axes: readonly Axis[]): Buffer {
  return interWith({ fvar: fvar(axes) })
}

/** The tables of Inter Regular. */
export const INTER = tablesOf(readFileSync('node_modules/@fontsource/inter/files/inter-latin-400-normal.woff'))

/** An fvar table (OpenType): a header of 16 bytes, and 20 bytes for each axis. */
function fvar(axes: readonly Axis[]): Buffer {
  const table = Buffer.alloc(16 + 20 * axes.length)
  for (const [at, value] of [1, 0, 16, 2, axes.length, 20, 0, 4 + 4 * axes.length].entries())
    table.writeUInt16BE(value, 2 * at)
  for (const [at, [tag, ...values]] of axes.entries()) {
    table.write(tag, 16 + 20 * at, 'latin1')
    for (const [n, value] of values.entries()) table.writeInt32BE(value * 65536, 20 + 20 * at + 4 * n)
    table.writeUInt16BE(256, 38 + 20 * at - 4)
  }
  return table
}
