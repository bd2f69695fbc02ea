import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { buildProgram } from './build-program.ts'

/** The folder of a program that only the tests of this process use. */
const FOLDER = join(import.meta.dirname, `../../node_modules/.cache/built-${process.pid}`)
let own: string | undefined
after(() => rmSync(FOLDER, { recursive: true, force: true }))

/** The path of `bin/housestyle.js` with the program as the package ships it, built once for the tests of a process or a run. */
export function builtProgram(): string {
  own ??= process.env.TEST_PROGRAM ?? buildProgram(FOLDER)
  return own
}
