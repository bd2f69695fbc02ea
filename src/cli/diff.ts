import type { ContentDiff, FieldChange, StyleChange } from '../brand/content-diff.ts'
import { diff, type ProjectDiff, type Version } from '../publishing/diff.ts'
import { isGiven, type Run } from './command.ts'
import { type Io, paint, printJson, visible } from './io.ts'
import { onProject } from './on-project.ts'
import { parseRevision } from './place.ts'

/** `diff <w/p> [from] [to]` */
export const run: Run = async (given, io) => {
  const [, from = 'published', to = 'draft'] = given.operands
  const { name, result } = await onProject(given, io, (store, place) =>
    diff(store, place, versionOf(from), versionOf(to)),
  )
  if (isGiven(given, 'json')) printJson(io, result)
  else printDiff(name, result, io)
  return 0
}

function versionOf(text: string): Version {
  return text === 'draft' || text === 'published' ? text : parseRevision(text)
}

function printDiff(place: string, { from, to, name, pages, colors, types, files }: ProjectDiff, io: Io): void {
  const lines = [
    ...(name ? [`name: ${shown(name.from)} → ${shown(name.to)}`] : []),
    ...pages.flatMap(page => pageLines(page, io)),
    ...colors.flatMap(color => styleLines('color', color, io)),
    ...types.flatMap(type => styleLines('type', type, io)),
    ...files.map(({ path, change }) => heading(change, 'file', path, io)),
  ]
  if (lines.length === 0) io.err(`${place}: ${from} and ${to} are the same\n`)
  else io.out(`${[`${place}: ${from} → ${to}`, ...lines].join('\n')}\n`)
}

const SIGNS = { added: ['+', 'green'], changed: ['~', 'yellow'], removed: ['-', 'red'] } as const

function heading(change: keyof typeof SIGNS, kind: string, id: string, io: Io): string {
  const [sign, style] = SIGNS[change]
  return paint(io.hasColor.out, style, `${sign} ${kind} ${visible(id)}`)
}

function pageLines({ id, change, name, diff: patch }: ContentDiff['pages'][number], io: Io): string[] {
  const renamed = name ? [`    name: ${shown(name.from)} → ${shown(name.to)}`] : []
  const lines = (patch ?? '').split('\n').filter(line => line !== '' && !/^(=====|--- |\+\+\+ )/.test(line))
  return [heading(change, 'page', id, io), ...renamed, ...lines.map(line => `    ${patchLine(line, io)}`)]
}

function patchLine(line: string, io: Io): string {
  const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : line.startsWith('@@') ? 'cyan' : 'reset'
  return paint(io.hasColor.out, style, visible(line))
}

function styleLines(kind: string, { id, change, fields = {} }: StyleChange, io: Io): string[] {
  return [heading(change, kind, id, io), ...Object.entries(fields).map(([name, field]) => fieldLine(name, field, io))]
}

/** Old and new value of a field; a colour's with a swatch beside it where there is colour. */
function fieldLine(name: string, { from, to }: FieldChange, io: Io): string {
  const isColor = name === 'hex' && io.hasColor.out
  return `    ${name}: ${isColor ? swatch(from) : ''}${shown(from)} → ${isColor ? swatch(to) : ''}${shown(to)}`
}

function swatch(hex: unknown): string {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(String(hex))
  const [red, green, blue] = digits?.slice(1).map(part => Number.parseInt(part, 16)) ?? []
  return digits ? `\u001b[48;2;${red};${green};${blue}m  \u001b[0m ` : ''
}

function shown(value: unknown): string {
  return value === null ? 'none' : visible(typeof value === 'string' ? value : JSON.stringify(value))
}
