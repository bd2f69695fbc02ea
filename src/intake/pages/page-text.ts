import type { Problem } from '../../brand/finding.ts'
import type { Hash } from '../../brand/ids.ts'
import { problem } from '../folder/findings.ts'
import type { Offset, SpillBuffer } from '../folder/spill-buffer.ts'
import { readPageFile } from '../folder/text-file.ts'
import type { WalkedFile } from '../folder/walk.ts'
import { type Destination, readMarkdown } from '../markdown/markdown.ts'
import { embeddedDescription } from '../media/embedded-text.ts'
import type { ProjectReading } from '../project/project-context.ts'
import { type FrontMatter, readFrontMatter, splitFrontMatter } from './front-matter.ts'
import { packDestinations } from './packed-links.ts'

/** What the text of a page says, wherever its file stands. */
export type PageText = FrontMatter & {
  /** The first heading that is not empty. */
  heading?: string
  /** The hash of the content. */
  content: Hash
  /** The line of the file that the content begins at. */
  contentLine: number
  /** Where its relative links stand in the spill buffer, packed. */
  destinations: Offset
  problems: readonly Problem[]
}

/** The most relative links that a page may have. */
const MAX_LINKS = 10_000

/** Reads a page, or takes what an earlier import read of it. Undefined, with a finding, if it cannot be read. */
export async function readPageText(reading: ProjectReading, file: WalkedFile): Promise<PageText | undefined> {
  const { root, project, findings, options } = reading
  const { path, fingerprint } = file
  const known = fingerprint === undefined ? undefined : await options.readCache.find(path, fingerprint)
  if (known !== undefined) return unpacked(known, options.spill)
  const read = readPageFile(root, file, project.id, findings)
  if (!read) return undefined
  const { yaml, content, contentLine } = splitFrontMatter(read.text)
  const { frontMatter, problems } = readFrontMatter(yaml ?? '')
  const hash = await options.writer.text(new TextEncoder().encode(content))
  const { destinations, ...rest } = readContent(content, problems)
  const fields = JSON.stringify({ ...frontMatter, content: hash, contentLine, ...rest })
  const packed = `${fields}\n${packDestinations(destinations)}`
  if (fingerprint !== undefined && read.isAsFound)
    await options.readCache.keep(path, fingerprint, { kind: 'page', content: hash, reading: packed })
  // Unpacked at once: the result then keeps nothing of the text in memory, and equals what the cache will give.
  return unpacked(packed, options.spill)
}

/** The fields of a page stand in one line, and its links in the next: those are read once all pages are known. */
function unpacked(packed: string, spill: SpillBuffer): PageText {
  const end = packed.indexOf('\n')
  const fields: Omit<PageText, 'destinations'> = JSON.parse(packed.slice(0, end))
  return { ...fields, destinations: spill.put(new TextEncoder().encode(packed.slice(end + 1))) }
}

function readContent(
  content: string,
  problems: readonly Problem[],
): Pick<PageText, 'heading' | 'problems'> & { destinations: readonly Destination[] } {
  const { heading, destinations } = readMarkdown(content)
  const name = embeddedDescription(heading)
  const many = `the page has ${destinations.length} relative links, and may have ${MAX_LINKS}: split it`
  const isTooMuch = destinations.length > MAX_LINKS
  return {
    ...(name !== undefined && { heading: name }),
    destinations,
    problems: isTooMuch ? [...problems, problem('too-many', many)] : problems,
  }
}
