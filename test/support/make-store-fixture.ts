import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openStore } from '#store/store.ts'
import { testService } from './service.ts'
import { type Contents, writeFolder } from './temporary.ts'
import { resultOf } from './temporary-store.ts'

/*
 * Makes a store with a bit of everything, using the current program's commands, and records the tokens, links and addresses
 * that it issued. `test/fixtures/stores/README.md` says when to run it. `released-stores.slow.test.ts` checks that every later
 * program still accepts them.
 */

const KEY_SECRET = 'a secret of a made-up brand'
const PUBLIC_URL = 'https://brand.example.com'
const SEALED = { HOUSESTYLE_KEY_SECRET: KEY_SECRET }

const FIRST: Contents = {
  'workspace.yaml': 'name: Lumen Lamps\ntheme: { logo: lamp.svg, accent: "#f2b705" }\n',
  'lamp.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10"/>\n',
  'guidelines/project.yaml': 'name: Guidelines\nrevisions: served\n',
  'guidelines/pages/index.md': '# Welcome\n\n[The mark](mark.md), ![drawn](mark/mark.svg)\n',
  'guidelines/pages/mark.md': '# Mark\n\nFirst.\n',
  'guidelines/pages/mark/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n',
  'guidelines/styles/colors.yaml': '- { name: Ink, hex: "#101820", cmyk: [90, 70, 50, 80] }\n',
  'guidelines/styles/types.yaml': '- { name: Body, size: 16, leading: 1.5 }\n',
  'guidelines/files/notes.txt': 'First notes.\n',
  'spring/project.yaml': 'name: Spring\nvisibility: public\n',
  'spring/pages/index.md': '# Spring\n',
  'spring/files/leaf.txt': 'A leaf.\n',
  'gone/pages/index.md': '# Gone\n',
  'gone/files/gone.txt': 'Gone.\n',
}

const LATER = ['Second', 'Third', 'Fourth'].map(word => ({
  'guidelines/pages/mark.md': `# Mark\n\n${word}.\n`,
  'guidelines/files/notes.txt': `${word} notes.\n`,
}))

const name = await latestMigration()
const target = fileURLToPath(new URL(`../fixtures/stores/${name}/`, import.meta.url))
await mkdir(target)
const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
try {
  const handedOut = await makeStore()
  const archive = await readFile(join(folder, 'backup.tar'))
  await writeFile(join(target, 'backup.tar.gz'), gzipSync(archive, { level: 9 }))
  execFileSync('tar', ['czf', join(target, 'store.tar.gz'), '--owner=0', '--group=0', '.data', 'lumen'], {
    cwd: folder,
  })
  await writeFile(join(target, 'handed-out.json'), `${JSON.stringify(handedOut, null, 2)}\n`)
} finally {
  await rm(folder, { recursive: true })
}

/** The name of this program's newest migration: `0001-schema`. */
async function latestMigration(): Promise<string> {
  const migrations = await readdir(new URL('../../migrations/', import.meta.url))
  return migrations.sort().at(-1)?.replace('.sql', '') ?? ''
}

/** A history of four revisions, one freed and one retracted; a draft; a copy; a deleted project; access. */
async function makeStore() {
  await importing(FIRST)
  await run('publish', '--all')
  const { token } = await run('token', 'issue', 'lumen', '--expires', '366d')
  const dead = await addressesOf(['/beta/workspace/lumen/project/spring', '/beta/workspace/lumen/project/gone'], token)
  await run('files', 'rotate', 'lumen/spring')
  for (const contents of LATER) {
    await importing(contents)
    await run('publish', 'lumen/guidelines', '--note', contents['guidelines/files/notes.txt'].trim())
  }
  await run('copy', 'lumen/guidelines', 'lumen/autumn')
  await run('delete', 'lumen/gone', '--yes')
  await run('gc', '--keep', '3')
  await run('retract', 'lumen/guidelines', '3')
  await importing({ 'guidelines/pages/mark.md': '# Mark\n\nDraft.\n', 'guidelines/files/notes.txt': 'Draft notes.\n' })
  const access = await makeAccess()
  const served = ['/beta/workspace/lumen/project/guidelines', '/beta/workspace/lumen/project/spring']
  const files = await addressesOf([...served, '/revision/2/beta/workspace/lumen/project/guidelines'], token)
  const made = {
    madeAt: new Date().toISOString(),
    keySecret: KEY_SECRET,
    publicUrl: PUBLIC_URL,
    token,
    ...access,
    files,
    deadFiles: dead.map(({ path }) => path),
    ...(await storeReport()),
  }
  await run('backup', 'backup.tar')
  return made
}

/** A client, tokens and share links, some of them revoked; the signing key is encrypted from then on. */
async function makeAccess() {
  const client = await run('client', 'create', 'lumen', '--name', 'Label printer')
  const revokedToken = await run('token', 'issue', 'lumen', '--expires', '366d')
  await run('token', 'revoke', revokedToken.jti)
  await resultOf(folder, ['keys', 'rotate'], SEALED)
  const issue = ['token', 'issue', 'lumen', '--expires', '366d', '--public-url', PUBLIC_URL]
  const publicToken = await resultOf(folder, issue, SEALED)
  const [share, revokedShare] = [await makeShare(), await makeShare()]
  await run('share', 'revoke', revokedShare.id)
  return { client, revokedToken, publicToken, share, revokedShare }
}

function makeShare() {
  return run('share', 'lumen/guidelines', '--expires', '366d', '--name', 'Print agency')
}

/** The command output about the store, and its snapshots. */
async function storeReport() {
  return {
    status: await run('status'),
    history: await run('history', 'lumen/guidelines'),
    diff: await run('diff', 'lumen/guidelines', '4', 'draft'),
  }
}

async function importing(contents: Contents): Promise<void> {
  await writeFolder(join(folder, 'lumen'), contents)
  await run('import', 'lumen')
}

function run(...args: string[]) {
  return resultOf(folder, args)
}

/** The file addresses of these projects in the API, and the SHA-256 of their bytes. */
async function addressesOf(projects: readonly string[], token: string): Promise<{ path: string; sha256: string }[]> {
  const store = await openStore(join(folder, '.data'))
  const addresses: { path: string; sha256: string }[] = []
  try {
    const { ask } = await testService({ store }, { keySecret: KEY_SECRET })
    for (const project of projects) {
      const { files }: { files: { url: string }[] } = JSON.parse((await ask(`${project}/files`, { token })).text)
      for (const { url } of files) {
        const path = new URL(url).pathname
        const { status, bytes } = await ask(path)
        if (status !== 200) throw new Error(`${path} is answered ${status}`)
        addresses.push({ path, sha256: createHash('sha256').update(bytes).digest('hex') })
      }
    }
    return addresses
  } finally {
    await store.close()
  }
}
