import type { Remark } from '../brand/finding.ts'
import type { Hash } from '../brand/ids.ts'
import type { Aside, Place } from './aside.ts'
import { embeddedDescription } from './embedded-text.ts'
import { remark } from './findings.ts'
import { type FrontMatter, readFrontMatter, splitFrontMatter } from './front-matter.ts'
import { type Destination, readMarkdown } from './markdown.ts'
import { packDestinations } from './packed.ts'
import type { ProjectReading } from './project-reading.ts'
import { readPageFile } from './text-file.ts'
import type { WalkedFile } from './walk.ts'

/** What the text of a page says, wherever it stands. */
export type PageText = FrontMatter & {
  /** The first heading that says something. */
  heading?: string
  /** What the content is kept under. */
  content: Hash
  /** The line of the file that the content begins at. */
  contentLine: number
  /** Where its relative links were put aside, packed. */
  destinations: Place
  remarks: readonly Remark[]
}

/** The most relative links that a page may have. */
const MOST_LINKS = 10_000

/** Reads a page, or takes what an earlier import read of it. Undefined, with a finding, where it cannot be read. */
export async function readPageText(reading: ProjectReading, file: WalkedFile): Promise<PageText | undefined> {
  const { root, project, findings, options } = reading
  const { path, stamp } = file
  const known = stamp === undefined ? undefined : await options.seen.find(path, stamp)
  if (known !== undefined) return unpacked(known, options.aside)
  const read = readPageFile(root, file, project.id, findings)
  if (!read) return undefined
  const { yaml, content, contentLine } = splitFrontMatter(read.text)
  const { frontMatter, remarks } = readFrontMatter(yaml ?? '')
  const hash = await options.sink.text(new TextEncoder().encode(content))
  const { destinations, ...rest } = readContent(content, remarks)
  const said = JSON.stringify({ ...frontMatter, content: hash, contentLine, ...rest })
  const written = `${said}\n${packDestinations(destinations)}`
  if (stamp !== undefined && read.isAsFound)
    await options.seen.keep(path, stamp, { kind: 'page', content: hash, reading: written })
  // Written and read again, it holds on to nothing of the text, and is the same the first time and every other.
  return unpacked(written, options.aside)
}

/** What a page says stands in one line, and its links in the next: they are not looked at before all pages are known. */
function unpacked(written: string, aside: Aside): PageText {
  const end = written.indexOf('\n')
  const said: Omit<PageText, 'destinations'> = JSON.parse(written.slice(0, end))
  return { ...said, destinations: aside.put(new TextEncoder().encode(written.slice(end + 1))) }
}

function readContent(
  content: string,
  remarks: readonly Remark[],
): Pick<PageText, 'heading' | 'remarks'> & { destinations: readonly Destination[] } {
  const { heading, destinations } = readMarkdown(content)
  const name = embeddedDescription(heading)
  const many = `the page has ${destinations.length} relative links, and may have ${MOST_LINKS}: split it`
  const isTooMuch = destinations.length > MOST_LINKS
  return {
    ...(name !== undefined && { heading: name }),
    destinations,
    remarks: isTooMuch ? [...remarks, remark('too-many', many)] : remarks,
  }
}
