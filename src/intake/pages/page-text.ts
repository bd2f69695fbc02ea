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

/** What the text of a page says, wherever it stands. */
export type PageText = FrontMatter & {
  /** The first heading that says something. */
  heading?: string
  /** What the content is kept under. */
  content: Hash
  /** The line of the file that the content begins at. */
  contentLine: number
  /** Where its relative links were put spill, packed. */
  destinations: Offset
  problems: readonly Problem[]
}

/** The most relative links that a page may have. */
const MAX_LINKS = 10_000

/** Reads a page, or takes what an earlier import read of it. Undefined, with a finding, where it cannot be read. */
export async function readPageText(reading: ProjectReading, file: WalkedFile): Promise<PageText | undefined> {
  const { root, project, findings, options } = reading
  const { path, stamp } = file
  const known = stamp === undefined ? undefined : await options.readCache.find(path, stamp)
  if (known !== undefined) return unpacked(known, options.spill)
  const read = readPageFile(root, file, project.id, findings)
  if (!read) return undefined
  const { yaml, content, contentLine } = splitFrontMatter(read.text)
  const { frontMatter, problems } = readFrontMatter(yaml ?? '')
  const hash = await options.writer.text(new TextEncoder().encode(content))
  const { destinations, ...rest } = readContent(content, problems)
  const said = JSON.stringify({ ...frontMatter, content: hash, contentLine, ...rest })
  const written = `${said}\n${packDestinations(destinations)}`
  if (stamp !== undefined && read.isAsFound)
    await options.readCache.keep(path, stamp, { kind: 'page', content: hash, reading: written })
  // Written and read again, it holds on to nothing of the text, and is the same the first time and every other.
  return unpacked(written, options.spill)
}

/** What a page says stands in one line, and its links in the next: they are not looked at before all pages are known. */
function unpacked(written: string, spill: SpillBuffer): PageText {
  const end = written.indexOf('\n')
  const said: Omit<PageText, 'destinations'> = JSON.parse(written.slice(0, end))
  return { ...said, destinations: spill.put(new TextEncoder().encode(written.slice(end + 1))) }
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
