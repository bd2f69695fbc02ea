import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pluralize } from '../base/text.ts'
import type { Finding } from '../brand/finding.ts'
import type { ReadOptions } from '../intake/brand-folder.ts'
import { codeOf } from '../intake/folder/unreadable.ts'
import { openMediaReader } from '../intake/media/media.ts'
import type { ImportOptions } from '../publishing/import/import.ts'
import type { Settings } from '../settings.ts'
import { CommandFailure } from './failure.ts'
import { type Io, paint, visible } from './io.ts'
import { openProgress, waitingTo } from './progress.ts'

/** The absolute path of a brand folder that someone named. */
export async function brandFolder(name: string, io: Io): Promise<string> {
  const folder = resolve(io.folder, name)
  const found = await stat(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
  })
  if (found?.isDirectory()) return folder
  const why = found ? 'is not a folder' : 'does not exist'
  throw new CommandFailure('folder_missing', `cannot read ${visible(name)}: it ${why}; name a brand folder`)
}

/** Runs the work with what reading a folder needs: threads for fonts and pictures, and progress on a terminal. */
export async function whileReading<Value>(
  settings: Pick<Settings, 'maxFile' | 'maxItems'>,
  io: Io,
  work: (options: Omit<ReadOptions, 'targetFor'> & Pick<ImportOptions, 'waiting'>) => Promise<Value>,
): Promise<Value> {
  const media = openMediaReader()
  const progress = openProgress(io)
  try {
    const { maxFile, maxItems } = settings
    const waiting = waitingTo(io)
    return await work({ media, caps: { maxFile, maxItems }, signal: io.signal, progress: progress.show, waiting })
  } finally {
    progress.clear()
    await media.close()
  }
}

/** A finding as a line: `path:line severity rule message`; one about a whole file points at its first line. */
export function findingLine({ path, line, severity, rule, message }: Finding, hasColor: boolean): string {
  const color = severity === 'error' ? 'red' : 'yellow'
  return `${visible(path)}:${line ?? 1} ${paint(hasColor, color, severity)} ${rule} ${visible(message)}\n`
}

/** `1 error, 2 warnings`, or that there is nothing. */
export function findingSummary(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  if (findings.length === 0) return 'no findings'
  return [errors > 0 ? pluralize(errors, 'error') : '', warnings > 0 ? pluralize(warnings, 'warning') : '']
    .filter(text => text !== '')
    .join(', ')
}

/** Whether any finding is an error. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}
