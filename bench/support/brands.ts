import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../../test/support/command.ts'
import { pngHeader } from '../../test/support/png-header.ts'
import { type Contents, writeFolder } from '../../test/support/temporary.ts'

export const WORKSPACES = 10
export const TOKENS = 2
export const PAGES = 8
const FILES = 10
const LARGE_FILE_BYTES = 20_000

/** The largest comfortable project (docs/limits.md). */
const ENVELOPE = { pages: 1000, files: 5000, colors: 500, types: 100 }

/**
 * A store with ten workspaces of published public projects, and two tokens for each workspace. With a large project,
 * `large/guide` has the sizes of `ENVELOPE`.
 */
export type Brands = { store: string[]; tokens: ReadonlyMap<string, readonly string[]>; projects: number }

type Sizes = {
  /** The projects in each of the ten workspaces. */
  projects: number
  hasLarge?: boolean
}

/** Runs the commands of the package to make a store. */
export async function makeBrands(bin: string, parent: string, { projects, hasLarge = false }: Sizes): Promise<Brands> {
  const folder = join(parent, 'brands')
  mkdirSync(folder)
  const store = ['--data', join(folder, 'store')]
  const brands = new Map(numberedNames('brand', WORKSPACES).map(name => [name, smallBrand(name, projects)]))
  if (hasLarge) brands.set('large', largeBrand())
  const tokens = new Map<string, string[]>()
  for (const [workspace, contents] of brands) {
    await writeFolder(join(folder, workspace), contents)
    await command(bin, 'import', join(folder, workspace), ...store)
    await command(bin, 'publish', '--all', ...store)
    const issued: string[] = []
    while (issued.length < TOKENS) issued.push((await issue(bin, workspace, store)).trim())
    tokens.set(workspace, issued)
  }
  return { store, tokens, projects }
}

function issue(bin: string, workspace: string, store: readonly string[]): Promise<string> {
  return command(bin, 'token', 'issue', workspace, ...store, '--public-url', PUBLIC_URL)
}

/** Tokens name the public URL, which must therefore be known before the service chooses a port. */
export const PUBLIC_URL = 'http://brand.test'

/** Such as `page-1`, `page-2`. */
export function numberedNames(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at + 1}`)
}

function smallBrand(workspace: string, projects: number): Contents {
  const contents: Record<string, string | Uint8Array> = { 'workspace.yaml': `id: ${workspace}\nname: ${workspace}\n` }
  for (const project of numberedNames('guide', projects)) {
    contents[`${project}/project.yaml`] = `name: ${project} of ${workspace}\nvisibility: public\n`
    for (const page of ['index', ...numberedNames('page', PAGES - 1)])
      contents[`${project}/pages/${page}.md`] = pageText(workspace, project, page)
    Object.assign(contents, styles(project, 20, 6))
    for (const file of numberedNames('notes', FILES))
      contents[`${project}/files/${file}.txt`] = `${workspace} ${project} ${file}\n`
  }
  contents['guide-1/files/large.bin'] = Buffer.alloc(LARGE_FILE_BYTES, workspace)
  return contents
}

/** The brand folder of a project with the sizes of `ENVELOPE`: pages of 2 KB with links and pictures, pictures of 20 KB. */
export function largeBrand(): Contents {
  const { pages, files, colors, types } = ENVELOPE
  const contents: Record<string, string | Uint8Array> = {
    'workspace.yaml': 'id: large\n',
    'guide/project.yaml': 'name: Large\nvisibility: public\n',
    'guide/pages/index.md': '# Large\n',
    ...styles('guide', colors, types),
  }
  for (let at = 0; at < pages - 1; at++) contents[`guide/pages/${pagePath(at)}`] = largePage(at)
  for (let at = 0; at < files; at++) contents[`guide/${picturePath(at)}`] = picture()
  return contents
}

function styles(project: string, colors: number, types: number): Contents {
  return {
    [`${project}/styles/colors.yaml`]: numberedNames('Colour', colors).map(color).join(''),
    [`${project}/styles/types.yaml`]: numberedNames('Type', types).map(typeStyle).join(''),
  }
}

function pageText(workspace: string, project: string, page: string): string {
  const sentence = 'Keep clear space of half its height around the mark, and set nothing else into it. '
  const link = 'See [the notes](../files/notes-1.txt).\n'
  return `# ${page} of ${project}\n\n${workspace} says this.\n\n${sentence.repeat(20)}\n\n- ${link}`
}

/** Below pages/. */
function pagePath(at: number): string {
  return `s${at % 20}/p${at}.md`
}

function picturePath(at: number): string {
  return `files/images/i${at}.png`
}

function largePage(at: number): string {
  let text = `---\ntitle: Page ${at}\n---\n\n# Page ${at}\n`
  for (let line = 0; text.length < 2000; line++) {
    text += `\n${words(at, line)}.\n`
    if (line % 4 > 0) continue
    const target = pagePath((at * 3 + line * 17) % (ENVELOPE.pages - 1))
    const image = picturePath((at * 5 + line * 13) % ENVELOPE.files)
    text += `\nSee [page ${line}](../${target}) and ![picture ${line}](../../${image}).\n`
  }
  return text
}

const WORDS =
  'brand colour grid ink light logo margin mark page paper print rule size space tone type voice white'.split(' ')

function words(at: number, line: number): string {
  return Array.from({ length: 14 }, (_, word) => WORDS[(at * 7 + line * 31 + word * (at + 5)) % WORDS.length]).join(' ')
}

/** The header of a PNG before bytes that do not compress. */
function picture(): Uint8Array {
  return Buffer.concat([pngHeader(80, 84), randomBytes(LARGE_FILE_BYTES)])
}

function color(name: string, at: number): string {
  const hex = (at * 700_001 + 0x102030).toString(16).slice(-6).padStart(6, '0')
  return `- name: ${name}\n  hex: "#${hex}"\n  cmyk: [${at % 100}, 39, 0, 28]\n  pms: ${285 + at} C\n`
}

function typeStyle(name: string, at: number): string {
  return `- name: ${name}\n  family: Acme Sans\n  size: ${16 + at}\n  leading: 1.25\n  tracking: -0.01\n`
}
