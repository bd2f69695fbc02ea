import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, globSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs and libraries that tests run, and the Debian packages of each. */
const PROGRAMS = {
  bash: 'bash',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  'cmark-gfm': 'cmark-gfm',
  convert: 'imagemagick',
  curl: 'curl',
  faketime: 'faketime',
  flock: 'util-linux',
  git: 'git',
  gzip: 'gzip',
  initdb: 'postgresql',
  'libnss_wrapper.so': 'libnss-wrapper',
  nginx: 'nginx',
  openssl: 'openssl',
  pdfinfo: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pg_basebackup: 'postgresql-client',
  pgbouncer: 'pgbouncer',
  postgres: 'postgresql',
  prlimit: 'util-linux',
  promtool: 'prometheus',
  python3: 'python3',
  'redis-cli': 'redis-tools',
  'redis-server': 'redis-server',
  script: 'bsdutils',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  sshd: 'openssh-server',
  'swift-proxy-server': 'swift-proxy swift-account swift-container swift-object',
  'systemd-analyze': 'systemd',
  tar: 'tar',
  unshare: 'util-linux',
  unzip: 'unzip',
  xmllint: 'libxml2-utils',
} as const

type Program = keyof typeof PROGRAMS

/** What else tests need: how it is found, and the Debian package of it, or why none has it. */
const OTHERS = {
  Pillow: {
    isThere: () => spawnSync('/usr/bin/python3', ['-c', 'import PIL.GimpPaletteFile']).status === 0,
    packages: 'python3-pil',
  },
  'Noto Arabic fonts': {
    isThere: () => existsSync('/usr/share/fonts/truetype/noto/NotoNaskhArabic-Regular.ttf'),
    packages: 'fonts-noto-core',
  },
  'Liberation fonts': {
    isThere: () => globSync('/usr/share/fonts/truetype/liberation*/LiberationSans-Regular.ttf').length > 0,
    packages: 'fonts-liberation',
  },
  root: { isThere: () => process.getuid?.() === 0, reason: 'run the tests as root' },
  'another user': {
    isThere: canBeNobody,
    reason: 'let other users read this folder and its parents, or do not run as root',
  },
  'right to mount': { isThere: canMount, reason: 'run the tests as root, outside a container' },
  '../shared': {
    isThere: () => existsSync(fileURLToPath(new URL('../../../shared/corpus', import.meta.url))),
    reason: 'a folder with guides of others, which is no part of the project',
  },
  'tools of the client': {
    isThere: () => existsSync(fileURLToPath(new URL('../../client/node_modules/.bin/tsc', import.meta.url))),
    reason: 'npm ci --prefix client',
  },
  'a pseudo-terminal': { isThere: () => existsSync('/dev/ptmx'), reason: 'mount devpts on /dev/pts' },
  Linux: { isThere: () => process.platform === 'linux', reason: 'only Linux has what these test' },
} as const

export type Requirement = Program | keyof typeof OTHERS

const SEPARATOR = ', '
const known = new Map<Requirement, boolean>()

/**
 * The options of a test that needs these. If some are missing, the test is skipped with their names, from which the run
 * tells how to get them.
 *
 * @example test('a limit holds across processes', needs('redis-server'), async () => {})
 */
export function needs(...requirements: readonly Requirement[]): { skip: string | false } {
  const missing = requirements.filter(each => !isThere(each))
  return { skip: missing.length > 0 && missing.join(SEPARATOR) }
}

/** What the text of a skipped test names, and its packages or the reason that there are none. */
export function missingBy(skip: string): { name: string; packages: readonly string[]; reason?: string }[] {
  return skip.split(SEPARATOR).map(name => {
    if (isProgram(name)) return { name, packages: PROGRAMS[name].split(' ') }
    if (!isOther(name)) return { name, packages: [] }
    const other = OTHERS[name]
    return { name, packages: [], ...('packages' in other ? { packages: [other.packages] } : { reason: other.reason }) }
  })
}

/** The path of a program, if it is installed: in `PATH`, or where Debian puts servers and libraries. */
export function pathOf(program: Program): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  return [...folders, '/usr/sbin', ...globSync(['/usr/lib/postgresql/*/bin', '/usr/lib/*-linux-*'])]
    .map(folder => join(folder, program))
    .find(isUsable)
}

function isThere(requirement: Requirement): boolean {
  if (isProgram(requirement)) return pathOf(requirement) !== undefined
  const found = known.get(requirement) ?? OTHERS[requirement].isThere()
  known.set(requirement, found)
  return found
}

function isProgram(name: string): name is Program {
  return Object.hasOwn(PROGRAMS, name)
}

function isOther(name: string): name is keyof typeof OTHERS {
  return Object.hasOwn(OTHERS, name)
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, path.endsWith('.so') ? constants.R_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether permissions apply to a user as whom a test can run the program: the own one, or another if that is root. */
function canBeNobody(): boolean {
  if (process.getuid?.() !== 0) return true
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
  return spawnSync(process.execPath, [main, '--version'], { uid: 65534, gid: 65534, cwd: '/' }).status === 0
}

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-'))
  try {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) return false
    return spawnSync('umount', [folder]).status === 0
  } finally {
    rmdirSync(folder)
  }
}
