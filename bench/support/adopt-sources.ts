import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { parse } from 'yaml'
import { documentOf, zipOf } from '#test/delivery/lint/ooxml/office-file.ts'
import { pdfFile } from '../../test/support/pdf-file.ts'
import { writeFolder } from '../../test/support/temporary.ts'
import type { Color } from './color-score.ts'
import type { GuideFacts } from './guide-score.ts'

/** Files with invented content, keyed by path; `from` is the one that `init` gets instead of their folder. */
export type SmallSource = { name: string; files: Readonly<Record<string, string>>; from?: string; colors: Color[] }

/** A public repository, or the paths of it that are taken; `name` is its owner and name at GitHub. */
export type PublicSource = { name: string; commit: string; paths?: string[] }

const DATA = join(import.meta.dirname, '../adopt')

/** A folder with git repositories, named such as `owner+name`, which are used instead of those at GitHub. */
const { BENCH_CLONES = '' } = process.env

const GIT_TIMEOUT_MS = 30_000

export function readSmallSources(): SmallSource[] {
  const files = globSync('small/*.yaml', { cwd: DATA }).sort()
  return files.flatMap(file => readTexts(join(DATA, file)))
}

export function readPublicSources(): (PublicSource & { colors: Color[] })[] {
  return readTexts(join(DATA, 'public.yaml'))
}

export function readGuides(): (PublicSource & GuideFacts & { fresh?: 'true' })[] {
  return readTexts(join(DATA, 'guides.yaml'))
}

/** Reads a YAML file with all scalars as text, because `hex: 000000` is not a number. */
export function readTexts(path: string) {
  return parse(readFileSync(path, 'utf8'), { schema: 'failsafe' })
}

/** Writes the files of a small source into a folder, and returns the path for `init`. */
export async function writeSmallSource({ files, from = '.' }: SmallSource, folder: string): Promise<string> {
  const contents = Object.entries(files).map(([path, text]) => [path, makerOf(path)(text)])
  await writeFolder(folder, Object.fromEntries(contents))
  return join(folder, from)
}

/** A PDF is given as the operators of its only page, and a Word file as the XML of its body. */
function makerOf(path: string): (text: string) => string | Uint8Array {
  return MAKERS.get(extname(path)) ?? (text => text)
}

const MAKERS = new Map<string, (text: string) => Uint8Array>([
  ['.docx', body => zipOf(documentOf(body))],
  ['.pdf', page => pdfFile({ pages: [page], resources: PDF_FONT })],
])

const PDF_FONT = '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>'

/** Takes a public source from a clone or from GitHub into a new folder, and returns whether that was possible. */
export function takePublicSource({ name, commit, paths = [] }: PublicSource, folder: string): boolean {
  const clone = join(BENCH_CLONES, name.replace('/', '+'))
  const repository = existsSync(clone) ? clone : fetchCommit(name, commit, `${folder}.git`)
  const archive = runGit(repository, 'archive', commit, ...paths)
  if (archive.status !== 0) return false
  mkdirSync(folder)
  execFileSync('tar', ['-x', '-C', folder], { input: archive.stdout })
  return true
}

/** Makes a brand folder of a source, and returns the keys of what to look at first; none if `init` refuses the source. */
export function adoptSource(bin: string, from: string, guide: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'init', guide, '--from', from, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0 && status !== 1) throw new Error(`init --from ${from} ended with ${status}: ${stderr}`)
  const { first = [] } = existsSync(guide) ? parse(stdout) : {}
  return first.map(({ key }: { key: string }) => key)
}

/** Fetches a commit into a new repository, without files: git fetches a file when it reads it. */
function fetchCommit(name: string, commit: string, repository: string): string {
  mkdirSync(repository)
  runGit(repository, 'init', '--bare')
  runGit(repository, 'remote', 'add', 'origin', `https://github.com/${name}`)
  runGit(repository, 'fetch', '--depth', '1', '--filter', 'blob:none', 'origin', commit)
  return repository
}

function runGit(repository: string, ...args: string[]) {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' }
  return spawnSync('git', ['-C', repository, ...args], { env, timeout: GIT_TIMEOUT_MS, maxBuffer: 1 << 28 })
}
