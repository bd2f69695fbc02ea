import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { readTexts } from './adopt-sources.ts'

/** The visible parts of a brand folder; each project of it has a home, a language and perhaps a logo. */
export type AdoptedGuide = {
  homes: string[]
  languages: string[]
  logos: Uint8Array[]
  /** The titles of all pages, in the order of the menu. */
  titles: string[]
  text: string
}

type Page = { id: string; title: string; order: number; text: string }

export function readAdoptedGuide(folder: string): AdoptedGuide {
  const projects = globSync('*/project.yaml', { cwd: folder }).map(file => join(folder, file, '..'))
  const guides = projects.map(readProject)
  return {
    homes: guides.flatMap(({ pages }) => pages.slice(0, 1).map(({ title }) => title)),
    languages: guides.map(({ language }) => new Intl.Locale(language).language),
    logos: guides.flatMap(({ logos }) => logos),
    titles: guides.flatMap(({ pages }) => pages.map(({ title }) => title)),
    text: guides.flatMap(({ pages }) => pages.map(({ text }) => text)).join('\n'),
  }
}

function readProject(folder: string): { language: string; logos: Uint8Array[]; pages: Page[] } {
  const { lang = 'en', pages: first = [], theme = {} } = readTexts(join(folder, 'project.yaml'))
  const logos = [theme.logo, theme.logoDark].map(path => join(folder, `${path}`)).filter(path => existsSync(path))
  const pages = globSync('pages/**/*.md', { cwd: folder }).map(file => readPage(folder, file))
  return { language: lang, logos: logos.map(path => readFileSync(path)), pages: inOrder(pages, first) }
}

function readPage(folder: string, file: string): Page {
  const source = readFileSync(join(folder, file), 'utf8')
  const [front = ''] = /^---\n.*?\n---\n/s.exec(source) ?? []
  const text = source.slice(front.length)
  const path = file.slice('pages/'.length, -'.md'.length)
  const [, title = basename(path)] = /^#+ ([^{\n]*)/m.exec(text) ?? []
  const page = { id: path.replace(/\/index$/, '').toLowerCase(), title, order: Number.POSITIVE_INFINITY }
  return { ...page, ...parse(front.replaceAll(/^---$/gm, '')), text }
}

/** First the pages in `pages:` of the project, then the home, then by number and id. */
function inOrder(pages: readonly Page[], first: readonly string[]): Page[] {
  const ids = [...first, 'index']
  const rankOf = ({ id }: Page) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  const compare = (a: Page, b: Page) => rankOf(a) - rankOf(b) || byNumber(a, b) || a.id.localeCompare(b.id)
  return pages.toSorted(compare)
}

function byNumber({ order: a }: Page, { order: b }: Page): number {
  return Number(a > b) - Number(a < b)
}
