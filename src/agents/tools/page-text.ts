import { type BrandFile, isPicture } from '../../brand/file.ts'
import type { Page } from '../../brand/page.ts'
import { contentEntryKey } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { markdownText } from '../../export/agents/markdown-text.ts'
import { pageSections } from '../../search/page-sections.ts'
import { contentWithLinks, targetAddress } from '../../serving/addresses.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { replyKey } from '../../serving/replies/content-keys.ts'
import type { PageText, Reader, Section } from './reader.ts'

/** Reads a page as agents see it. */
export async function readPage(reader: Reader, publication: Publication, page: Page): Promise<PageText> {
  const key = contentEntryKey(replyKey(publication), `agents:${page.id}`)
  const make = async () => {
    const value = await makePage(reader, publication, page)
    return { value, bytes: memoryOf(value) }
  }
  return reader.pages.get(key) ?? (await reader.pages.make(key, make)) ?? (await makePage(reader, publication, page))
}

async function makePage({ addresses }: Reader, publication: Publication, page: Page): Promise<PageText> {
  const { record, content } = publication
  const files = await content.files()
  const described = new Map<string, string>()
  const addressed = await contentWithLinks(publication, page, to => {
    const address = targetAddress(record, to, files, addresses)
    const description = to.file === undefined ? undefined : descriptionOf(files.get(to.file))
    if (address !== undefined && description !== undefined) described.set(address, description)
    return address
  })
  const text = addressed.replace(/!\[\]\((<?)([^\s()<>]+)/g, (whole, open: string, address: string) => {
    const description = described.get(address)
    return description === undefined ? whole : `![${markdownText(description)}](${open}${address}`
  })
  return { text, sections: sectionsOf(text) }
}

function descriptionOf(file: BrandFile | undefined): string | undefined {
  return file && isPicture(file) ? file.metadata?.description : undefined
}

/** The sections in order. The first one has no anchor: it is the start of the page, also if that has a title. */
function sectionsOf(text: string): Section[] {
  const lineStarts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  const parts = pageSections(text).map(part => ({ ...part, start: lineStarts[part.line] ?? text.length }))
  const sections = parts.map(({ level, heading, id, start }, at) => {
    const isTop = at === 0 && level < 2
    const later = parts.slice(at + 1)
    return {
      heading: isTop ? '' : heading,
      anchor: isTop ? '' : id,
      start: isTop ? 0 : start,
      ownEnd: later[0]?.start ?? text.length,
      end: isTop ? text.length : (later.find(part => part.level <= level)?.start ?? text.length),
    }
  })
  if (sections[0]?.anchor === '') return sections
  return [
    { heading: '', anchor: '', start: 0, ownEnd: sections[0]?.start ?? text.length, end: text.length },
    ...sections,
  ]
}
