import { ok, type Result } from '../../base/result.ts'
import { hexText } from '../../brand/styles/screen-color.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes } from '../found-styles.ts'

/** Whether a file begins like a GIMP palette. */
export function isGpl(text: string): boolean {
  return /^GIMP Palette[ \t]*(?:\r?\n|\r|$)/.test(text)
}

/**
 * Reads the colours of a GIMP palette, which Inkscape and others write too: lines of `R G B<tab>name`. A colour without
 * a name is named by its hex.
 */
export function readGpl(text: string, notes: Notes): Result<FoundStyles, string> {
  const colors = text
    .split(/\r\n|\n|\r/)
    .slice(1)
    .flatMap((line, at) => readLine(line, `line ${at + 2}`, notes))
  return ok({ colors, types: [], notes })
}

function readLine(line: string, subject: string, notes: Notes): FoundStyle[] {
  if (line.trim() === '' || /^\s*#/.test(line) || /^(?:Name|Columns|Channels):/.test(line)) return []
  const [, red, green, blue, label = ''] = /^\s*(\d{1,3})\s+(\d{1,3})\s+(\d{1,3})(?:\s+(.*))?$/.exec(line) ?? []
  const channels = [red, green, blue].map(Number)
  if (!channels.every(channel => channel <= 255)) {
    addNote(notes, subject, 'is not three numbers from 0 to 255 and a name; left out')
    return []
  }
  const [r = 0, g = 0, b = 0] = channels
  const hex = hexText([r, g, b])
  const name = label.trim()
  return [{ name: name === '' || name === 'Untitled' ? hex : name, fields: new Map([['hex', hex]]) }]
}
