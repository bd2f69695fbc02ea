import type { MaybePromise } from '../base/promise.ts'
import type { Result } from '../base/result.ts'
import type { Color } from '../brand/color.ts'
import type { BrandFile } from '../brand/file.ts'
import type { TypeStyle } from '../brand/type-style.ts'
import type { Scope } from '../contract/operations.ts'
import type { FontFacts } from '../fonts/font-facts.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Publication } from '../serving/publications/publications.ts'

/** A format that a brand is exported to. */
export type ExportFormat = {
  /** What `--to` takes. */
  id: string
  /** The name of its file. A format of several files has that of the ZIP archive that holds them. */
  file: string
  contentType: string
  /** What it is for, in a few words. */
  summary: string
  /** Whether it has several files, which the command writes to a folder. */
  isFolder: boolean
  /** The option that gives it several files, if it has one otherwise. */
  folderWith?: keyof ExportOptions
  /** Whether a browser saves it rather than shows it. */
  isAttachment: boolean
  /** The scopes that a token needs for it on the website of a private project: those of the content that it carries. */
  scopes: readonly Scope[]
  /** The options that it takes. */
  options: readonly (keyof ExportOptions)[]
  /** The authored values that it carries. */
  fields: { colors: readonly (keyof Color)[]; types: readonly (keyof TypeStyle)[] }
  /** Loads what makes it. */
  load: () => Promise<MakeExport>
}

/** A format that the command makes alone: a copy or a book of the whole website. It is never served. */
export type CommandFormat = Pick<ExportFormat, 'file' | 'contentType' | 'summary' | 'isFolder'> & {
  id: 'site' | 'pdf'
  options: readonly (keyof CommandOptions)[]
}

/** What a person may ask of a format that the command makes alone. */
export type CommandOptions = {
  /** Whether a project that not everyone may see is written out as well. */
  private?: boolean
  /** The path of the browser that prints. */
  chromium?: string
}

/** What a format is made from: one revision of a project, and what the person asks for besides. */
export type ExportSource = {
  publication: Publication
  /** The name of the workspace. */
  workspace: string
  /** False for the draft of a folder, which has no revision and no addresses. */
  isPublished: boolean
  /** Absolute addresses of what the service serves; undefined for the draft of a folder. */
  urls: Addresses | undefined
  /** What a font says of itself; undefined if that cannot be read. */
  fontFacts: (file: BrandFile) => MaybePromise<FontFacts | undefined>
  options: ExportOptions
  /** Values of the brand that the format has no place for, a sentence each. */
  unsupported: readonly string[]
}

/** What a person may ask of a format. */
export type ExportOptions = {
  /** What the names of variables begin with. */
  prefix?: string
  /** Whether the files that a sheet names stand beside it. */
  copy?: boolean
}

/**
 * Makes the files of a format; the same source gives the same bytes. The problem says in words what the brand lacks, and
 * how to give it that.
 */
export type MakeExport = (source: ExportSource) => Promise<Result<Exported, string>>

/** The files of an export, one unless the format is a folder, and what they could not say: a sentence each. */
export type Exported = {
  files: readonly ExportedFile[]
  /**
   * The same once more in pieces, for readers that take no more at once: `palette-1.gpl` and so on beside `palette.gpl`. The
   * command writes them beside the file, and each is served under its own name.
   */
  pieces?: readonly ExportedFile[]
  leftOut: readonly string[]
}

/** A file by its path in the export: bytes that were made, or a file of the project as it is. */
export type ExportedFile = { path: string; content: Uint8Array | BrandFile }
