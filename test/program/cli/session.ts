import { globSync, readFileSync, statSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { temporaryFolder, writeFolder } from '../../support/temporary.ts'
import { housestyle } from './housestyle.ts'

/** Files with their contents, or the name of a folder in test/fixtures/folders.yaml. */
type Folder = string | Readonly<Record<string, string>>

/** A command with its arguments, or files that somebody writes before the next one. */
type Step =
  | { run: string | readonly string[]; in?: string; env?: Readonly<Record<string, string>> }
  | { write: Readonly<Record<string, string>> }

/** Folders, and what happens in them one after another. `<root>` in an argument is the folder of all. */
export type Session = { folders: Readonly<Record<string, Folder>>; steps: readonly Step[] }

/** The files of the folders that sessions name, by path. */
export const FOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/folders.yaml'), 'utf8'),
)

/** Values that differ in each run. Equal ones have the same number. */
const RANDOM =
  /[\w-]+\.[\w-]{20,}\.[\w-]{40,}|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?:[\da-f]{64}|[\da-f]{32}|[\da-f]{24}|[\da-f]{16}|[\da-f]{12})\b|(?<=\/share\/|client_secret"?:? *"?|secret"?:? *"?)[\w-]{32,43}/g
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d(?: \((?:just now|\d+ seconds ago)\))?/g
const DAY_MS = 86_400_000

/** Runs a session, and returns what each command printed and wrote, with `<…>` for what differs in each run. */
export async function session({ folders, steps }: Session): Promise<unknown[]> {
  const root = await realpath(await temporaryFolder())
  for (const [name, files] of Object.entries(folders)) {
    await mkdir(join(root, name), { recursive: true })
    await writeFolder(join(root, name), typeof files === 'string' ? (FOLDERS[files] ?? {}) : files)
  }
  const random: string[] = []
  const numberOf = (value: string) => {
    if (!random.includes(value)) random.push(value)
    return `<${random.indexOf(value) + 1}>`
  }
  const steady = (text: string) =>
    text.replaceAll(root, '<root>').replace(INSTANT, relativeDay).replace(TIME, '<time>').replace(RANDOM, numberOf)
  const actual = (text: string) =>
    text.replaceAll('<root>', root).replace(/<(\d+)>/g, (_, at: string) => random[Number(at) - 1] ?? '')
  const results: unknown[] = []
  for (const step of steps) {
    if ('write' in step) {
      await writeFolder(root, step.write)
      continue
    }
    const before = textsIn(root)
    const args = typeof step.run === 'string' ? step.run.split(' ') : step.run
    const where = { cwd: join(root, step.in ?? 'acme'), env: { HOUSESTYLE_LOG: 'silent', ...step.env } }
    const { status, stdout, stderr } = await housestyle(args.map(actual), where)
    const wrote = Object.entries(textsIn(root)).flatMap(([path, text]) =>
      before[path] === text ? [] : [[path, steady(text)] as const],
    )
    results.push({
      ...(status !== 0 && { exit: status }),
      ...(stdout !== '' && { out: steady(stdout) }),
      ...(stderr !== '' && { err: steady(stderr) }),
      ...(wrote.length > 0 && { wrote: Object.fromEntries(wrote) }),
    })
  }
  return results
}

/** `<now>`, or `<in 30 days>`. */
function relativeDay(instant: string): string {
  const days = Math.round((Date.parse(instant) - Date.now()) / DAY_MS)
  return days === 0 ? '<now>' : `<in ${days} days>`
}

/** The files of a folder, except stores and schemas. */
function textsIn(root: string): Record<string, string> {
  const paths = globSync('**', { cwd: root, exclude: path => /^(?:\.data|\.housestyle|_schemas)$/.test(path) })
  const files = paths.filter(path => statSync(join(root, path)).isFile())
  return Object.fromEntries(files.toSorted().map(path => [path, readFileSync(join(root, path), 'utf8')]))
}
