import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { type GuideStyles, guideStyles } from '#adopt/conversion/guide-styles.ts'
import type { Source } from '#adopt/conversion/source.ts'
import { readConfined } from '#adopt/documents/converter.ts'
import { type FoundStyle, type FoundStyles, isInGroup, noteLines } from '#brand/formats/found-styles.ts'
import { readAll } from '#platform/base/bytes.ts'
import { errorCode } from '#platform/base/error.ts'
import { type Io, inputOf } from '../../command.ts'
import { CommandFailure, describeSystemError } from '../../failure.ts'
import { byteSize, visible } from '../../output/text.ts'

/** A part of a file that was not understood, or was changed. */
export type SourceNote = { source: string; message: string }

/**
 * Reads the styles of files, of tokens only the colours in these groups, if any; the path `-` is stdin. Fails if a file
 * cannot be read, or none of them has a style.
 */
export async function readStyles(
  sources: readonly string[],
  groups: readonly string[],
  io: Io,
): Promise<{ styles: GuideStyles; notes: SourceNote[] }> {
  const files: Source[] = []
  for (const [rank, path] of sources.entries())
    files.push({ path: path === '-' ? 'stdin' : path, bytes: await bytesOf(path, io), rank })
  const isChosen = ({ token }: FoundStyle) =>
    groups.length === 0 || token === undefined || groups.some(group => isInGroup(token, group))
  const reads = await readConfined(files, io.signal)
  const found = reads.map((read, at): { source: string; styles: FoundStyles; problem?: string } => {
    const source = files[at]?.path ?? ''
    const { kind, message } = read.ok ? NO_STYLE : read.problem
    if (read.ok && read.value.colors.length + read.value.types.length + read.value.notes.size > 0)
      return { source, styles: { ...read.value, colors: read.value.colors.filter(isChosen) } }
    if (kind === 'damaged' || sources.length === 1)
      throw new CommandFailure(kind === 'unknown' ? 'source_unknown' : 'source_unreadable', `${source} ${message}`)
    return { source, styles: { colors: [], types: [], notes: new Map() }, problem: message }
  })
  const styles = guideStyles(found.map(each => each.styles))
  if (!styles.ok) throw new CommandFailure('source_unreadable', styles.problem)
  const notes = found.flatMap(({ source, styles, problem }) =>
    (problem === undefined ? noteLines(styles.notes) : [problem]).map(message => ({ source, message })),
  )
  if (styles.value.colors.length + styles.value.types.length > 0) return { styles: styles.value, notes }
  const why = notes.map(({ source, message }) => `${source}: ${message}`).join('; ')
  throw new CommandFailure('source_empty', `found no colour and no type style in ${sources.join(', ')}; ${why}`)
}

const NO_STYLE = { kind: 'empty', message: 'has no colour and no type style' } as const

/** Reads a file, or stdin for the path `-`. */
export async function bytesOf(path: string, io: Io): Promise<Buffer> {
  const tooLarge = () =>
    new CommandFailure('source_unreadable', `${path} has more than ${byteSize(MAX_BYTES)}; name a smaller file`)
  try {
    const stream = path === '-' ? inputOf(io) : createReadStream(resolve(io.folder, path), { signal: io.signal })
    return await readAll(stream, MAX_BYTES, tooLarge)
  } catch (error) {
    throw readFailure(error, path)
  }
}

const MAX_BYTES = 16 << 20

function readFailure(error: unknown, path: string): unknown {
  const why = REASONS[errorCode(error)]
  if (why !== undefined) return new CommandFailure('source_unreadable', `cannot read ${visible(path)}: ${why}`)
  const message = describeSystemError(error, path)
  return message === undefined ? error : new CommandFailure('system_error', message)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; name a file in it',
}
