import { after } from 'node:test'
import type { Content, Draft } from '#brand/draft.ts'
import type { Finding, Problem } from '#brand/finding.ts'
import { type BrandFolder, readBrandFolder } from '#intake/brand-folder.ts'
import { openMediaReader } from '#intake/media/media.ts'
import { type Caps, noTarget } from '#intake/reading.ts'
import { findingLines, problemLines } from '../support/problems.ts'
import { type Contents, folderWith } from '../support/temporary.ts'

const media = openMediaReader()
after(() => media.close())

/** Options for reading a folder without storing anything. */
export const READ_OPTIONS = {
  media,
  caps: { maxFile: 1 << 30, maxItems: 10_000 },
  today: '2026-11-22',
  signal: new AbortController().signal,
  progress: () => undefined,
}

/** Reads a brand folder at a path. */
export async function readAt(folder: string, caps: Partial<Caps> = {}): Promise<ReadFolder> {
  const options = { ...READ_OPTIONS, caps: { ...READ_OPTIONS.caps, ...caps } }
  const drafts: ReadFolder['drafts'] = []
  const draft = (draft: Draft) => void drafts.push({ ...draft, pages: [...draft.pages] })
  const read = await readBrandFolder(folder, { ...options, targetFor: () => ({ ...noTarget, draft }) })
  return { ...read, drafts }
}

/** A folder with the drafts of its valid projects. */
export type ReadFolder = BrandFolder & { drafts: (Draft & Content)[] }

/** Reads a brand folder with these contents. */
export async function read(contents: Contents, name?: string): Promise<ReadFolder> {
  return readAt(await folderWith(contents, name))
}

/** The only draft of a valid folder. */
export async function draftOf(contents: Contents): Promise<Content> {
  const { drafts, findings } = await read(contents)
  const [draft] = drafts
  if (draft === undefined) throw new Error(`there is no draft: ${lines(findings).join('; ')}`)
  return draft
}

/** Findings as `path:line severity rule`. */
export function lines(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, severity, rule }) => `${path}:${line ?? ''} ${severity} ${rule}`)
}

/** A folder to read, in a golden file. */
export type FolderCase = { files: Readonly<Record<string, string>>; name?: string }

/** All that a folder gives, for a golden file. */
export async function folderFacts({ files, name }: FolderCase): Promise<object> {
  const { findings, drafts, ...rest } = await read(files, name)
  return {
    ...rest,
    findings: findingLines(findings),
    drafts: drafts.map(({ source: _, ...draft }) => withoutEmpty(draft)),
  }
}

/** All that a reader gives of a text, for a golden file. */
export function readFacts({ problems, ...rest }: { problems: readonly Problem[] }): object {
  return withoutEmpty({ ...rest, problems: problemLines(problems) })
}

function withoutEmpty(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !Array.isArray(value) || value.length > 0))
}
