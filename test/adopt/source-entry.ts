import type { Entry } from '#adopt/sources/source.ts'

/** A file of a source. */
export function sourceEntry(path: string, content: string | Buffer = '', label = ''): Entry {
  const bytes = Buffer.from(content)
  return { path, label, size: bytes.length, read: async () => Buffer.from(bytes), copyTo: async () => undefined }
}

/** The files of a source by their paths. */
export function sourceEntries(files: Readonly<Record<string, string>>, label = ''): Entry[] {
  return Object.entries(files).map(([path, text]) => sourceEntry(path, text, label))
}
