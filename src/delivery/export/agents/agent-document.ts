import type { Color } from '#brand/color.ts'
import { HOME_PAGE } from '#brand/page.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { guideName } from '#serving/publications/publications.ts'
import { type ExportedFile, type ExportSource, textFile } from '../format.ts'
import { markdownText } from './markdown-text.ts'

/** The parts of a brand that each document for agents begins with. */
export type Brand = {
  name: string
  /** The description of the home page. */
  about: string | undefined
  colors: readonly Color[]
  types: readonly TypeStyle[]
}

export async function brandOf(source: ExportSource): Promise<Brand> {
  const { content } = source.publication
  const [colors, types, pages] = await Promise.all([content.colors(), content.types(), content.pages()])
  return { name: guideName(source), about: pages.get(HOME_PAGE)?.description, colors, types }
}

/** A document for agents: its YAML front matter, a title, an introduction, and sections, of which empty ones are omitted. */
export type AgentDocument = {
  frontMatter: readonly string[]
  title: string
  introduction?: string
  sections: readonly Section[]
}

/** A list of lines, and the text below it. */
export type Section = { title: string; lines: readonly string[]; below: readonly string[] }

export function documentFile(path: string, document: AgentDocument): ExportedFile {
  const { frontMatter, title, introduction = '', sections } = document
  const head = ['---\n', ...frontMatter, `---\n\n# ${markdownText(title)}\n`, introduction]
  return textFile(path, [...head, ...sections.flatMap(sectionText)])
}

function sectionText({ title, lines, below }: Section): string[] {
  const list = lines.length === 0 ? [] : ['\n', ...lines]
  const parts = [...list, ...below]
  return parts.length === 0 ? [] : [`\n## ${title}\n`, ...parts]
}
