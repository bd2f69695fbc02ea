import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs and libraries that tests run, and the Debian package of each. */
const PACKAGES = {
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  'cmark-gfm': 'cmark-gfm',
  convert: 'imagemagick',
  faketime: 'faketime',
  'fc-scan': 'fontconfig',
  flock: 'util-linux',
  git: 'git',
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
  promtool: 'prometheus',
  python3: 'python3',
  'redis-server': 'redis-server',
  ssh: 'openssh-client',
  sshd: 'openssh-server',
  script: 'bsdutils',
  'swift-proxy-server': 'swift-proxy swift-account swift-container swift-object',
  'systemd-analyze': 'systemd',
  unzip: 'unzip',
  xmllint: 'libxml2-utils',
} as const

type Program = keyof typeof PACKAGES

/**
 * The options of a test that runs these programs. If one is missing, the test is skipped with advice on how to install
 * it.
 *
 * @example test('a limit holds across processes', needs('redis-server'), async () => {})
 */
export function needs(...programs: Program[]): { skip: string | false } {
  const missing = programs.find(program => pathOf(program) === undefined)
  if (missing === undefined) return { skip: false }
  return { skip: `${missing} is not installed: apt-get install ${PACKAGES[missing]}` }
}

/** The path of a program, if it is installed: in `PATH`, or where Debian puts servers and libraries. */
export function pathOf(program: Program): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  return [...folders, '/usr/sbin', ...globSync(['/usr/lib/postgresql/*/bin', '/usr/lib/*-linux-*'])]
    .map(folder => join(folder, program))
    .find(isUsable)
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, path.endsWith('.so') ? constants.R_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}
