import { writeFile } from 'node:fs/promises'
import { OperationalError } from '#platform/base/error.ts'
import type { Notes, Report } from '../report/report.ts'

/**
 * A regular file of a source. `path` is relative to the source, with `/`, and `label` begins its path in the report.
 * Reading it never follows a link out of the source.
 */
export type Entry = {
  path: string
  label: string
  /** Its path in the report, if it is a part of a file, such as `guide.pdf#page=3`. */
  shown?: string
  /** The path in the report of the file with data or a program that it was made of. */
  madeOf?: string
  /** In bytes. */
  size: number
  /** The path of the file on this machine, unless it is a part of another one. */
  place?: string
  /** The day of its last change, if it is on this machine. */
  modified?: Date
  /** How readers saw it; absent for a file of the source itself. */
  rendition?: Rendition
  /** Whether it is a file for readers, although its format could be a page. */
  isDownload?: boolean
  /** @throws OperationalError if the file has more bytes, changed, or cannot be read */
  read: (maxBytes: number) => Promise<Buffer>
  /** If the user named it as a file with styles: its path as given, its rank among the sources, and if it is the only one. */
  named?: { path: string; rank: number; isOnly: boolean }
  /** Writes the file to a new path. */
  copyTo: (path: string) => Promise<void>
}

/** A website of other sources, or the committed build of a source, with the folder that it is in; empty for a website. */
export type Rendition = { kind: 'site' | 'build'; folder: string }

/** How readers saw a file; the files of the source itself are written. */
export function renditionOf({ rendition }: Entry): { kind: Rendition['kind'] | 'written'; folder: string } {
  return { kind: 'written', folder: '', ...rendition }
}

/** The files of a source, and what is not one of them. */
export type Listing = {
  /** The name of a folder, archive or page without its format: the title if the source has no other. */
  name: string
  entries: Entry[]
  leftOut: Report['leftOut']
  /** Changes and losses of its reader. */
  notes?: Notes
}

/** Refuses a source with so many files that it is no guide. */
export function proveCount(count: number, name: string): void {
  if (count > MAX_FILES)
    throw new OperationalError('source_unreadable', `${name} has more than ${MAX_FILES} files: name a folder in it`)
}

export function tooLarge(maxBytes: number): OperationalError {
  return new OperationalError('source_unreadable', `larger than ${maxBytes >> 20} MiB, so it is not read`)
}

const MAX_FILES = 50_000

/** The path of a file in the report. */
export function shownPath({ label, path, shown }: Entry): string {
  return shown ?? label + path
}

/** A part of a file, such as a picture in a document, as a file of a source. */
export function bytesEntry(entry: Pick<Entry, 'path' | 'label' | 'shown' | 'madeOf'>, bytes: Uint8Array): Entry {
  const copyTo = (to: string) => writeFile(to, bytes, { flag: 'wx' })
  return { ...entry, size: bytes.length, read: async () => Buffer.from(bytes), copyTo }
}

/** A file of the new folder: its content, or a file of the source. */
export type NewFile = { to: string; content: string | Uint8Array | Entry }

export type NewText = { to: string; content: string }
