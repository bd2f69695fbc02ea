import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { type ImportTarget, noTarget } from '#intake/reading.ts'
import { importFolder } from '#publishing/import/import.ts'
import { openStore } from '#store/store.ts'
import { needs } from '../support/programs.ts'
import { scale } from '../support/random.ts'
import { type Contents, folderWith, temporaryFolder } from '../support/temporary.ts'
import { lines, READ_OPTIONS } from './reading.ts'

/** The content of files outside a brand folder, which must never appear in results. */
const OUTSIDE = 'kept-outside'

/** A brand folder, and files outside it with the same names. */
async function twoFolders(contents: Contents): Promise<{ folder: string; outside: string }> {
  const secret = Object.fromEntries(Object.keys(contents).map(path => [path, contentOf(path, OUTSIDE)]))
  return { folder: await folderWith(contents), outside: await folderWith(secret, 'outside') }
}

function contentOf(path: string, text: string): string {
  if (path.endsWith('.svg'))
    return `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>${text}</title></svg>`
  if (path.endsWith('colors.yaml')) return `- { name: ${text}, hex: "#000000" }\n`
  if (/(project|workspace)\.yaml$/.test(path)) return `name: ${text}\n`
  return path.endsWith('.yaml') ? `a.svg: ${text}\n` : `# ${text} ${path}\n`
}

function within(paths: readonly string[]): Contents {
  return Object.fromEntries(paths.map(path => [path, contentOf(path, 'inside')]))
}

const GUIDE = `
  guide/project.yaml guide/pages/a.md guide/pages/logo/b.md guide/pages/logo/c.svg
  guide/styles/colors.yaml guide/files/a.svg guide/files/files.yaml guide/files/more/b.svg
  guide/files/more/c.txt
`
  .trim()
  .split(/\s+/)

/** The finding if none of them can be read: files.yaml was not listed, but may exist in the folder. */
const PARTS = ['guide/files', 'guide/files/files.yaml', 'guide/pages', 'guide/styles']

type Act = (folder: string, outside: string) => void
const BEFORE = 'before the walk'
const PAGE = 'when the first page is kept'
const FILES = GUIDE.slice(5)

/** A moment, what changes then in the folder that is being read, and the paths of the findings. */
const CASES: readonly (readonly [at: string, does: string, act: Act, found: readonly string[]])[] = [
  [BEFORE, 'guide becomes a symbolic link', linking('guide'), PARTS],
  ...['guide/pages', 'guide/styles', 'guide/files'].map(
    path =>
      [BEFORE, `${path} becomes a symbolic link`, linking(path), PARTS.filter(part => part.startsWith(path))] as const,
  ),
  [
    PAGE,
    'a folder of pages becomes a symbolic link',
    linking('guide/pages/logo'),
    ['guide/pages/logo/b.md', 'guide/pages/logo/c.svg'],
  ],
  [PAGE, 'the folder of files becomes a symbolic link', linking('guide/files'), FILES],
  [
    PAGE,
    'files become a symbolic link, a pipe, a folder, another file, or go',
    (folder, outside) => {
      link(folder, outside, 'guide/pages/logo/b.md')
      // Created before any file is removed, because it could otherwise reuse the inode of the file that it replaces.
      writeFileSync(join(folder, 'guide/files/other'), 'other')
      for (const path of FILES) rmSync(join(folder, path))
      execFileSync('mkfifo', [join(folder, 'guide/files/a.svg')])
      execFileSync('mkdir', [join(folder, 'guide/files/more/b.svg')])
      renameSync(join(folder, 'guide/files/other'), join(folder, 'guide/files/more/c.txt'))
    },
    [
      ...['a.svg', 'files.yaml', 'more/b.svg', 'more/c.txt'].map(name => `guide/files/${name}`),
      'guide/pages/logo/b.md',
    ],
  ],
  [PAGE, 'files.yaml becomes a symbolic link', linking('guide/files/files.yaml'), ['guide/files/files.yaml']],
  [
    PAGE,
    'two folders change places',
    folder => {
      renameSync(join(folder, 'guide/files/more'), join(folder, 'guide/_'))
      renameSync(join(folder, 'guide/pages/logo'), join(folder, 'guide/files/more'))
      renameSync(join(folder, 'guide/_'), join(folder, 'guide/pages/logo'))
    },
    ['guide/files/more/b.svg', 'guide/files/more/c.txt', 'guide/pages/logo/b.md', 'guide/pages/logo/c.svg'],
  ],
  [
    'when the first file is kept',
    'that file is written to',
    folder => writeFileSync(join(folder, 'guide/files/a.svg'), 'more', { flag: 'a' }),
    ['guide/files/a.svg'],
  ],
  [
    'after that of the file',
    'the folder of that picture becomes a symbolic link before it is looked at',
    linking('guide/files'),
    FILES,
  ],
]

function linking(path: string): Act {
  return (folder, outside) => link(folder, outside, path)
}

function link(folder: string, outside: string, path: string): void {
  renameSync(join(folder, path), join(folder, `_${path.replaceAll('/', '-')}`))
  symlinkSync(join(outside, path), join(folder, path))
}

for (const [at, does, act, found] of CASES)
  test(`while a brand folder is read, ${at}: ${does}: that is an error, and nothing from elsewhere is read`, async () => {
    const { folder, outside } = await twoFolders(within(GUIDE))
    const kept: string[] = []
    const acts = onlyOnce(() => act(folder, outside))
    const target: ImportTarget = {
      ...noTarget,
      draft: draft => void kept.push(JSON.stringify({ ...draft, pages: [...draft.pages] })),
      writer: {
        text: bytes => {
          kept.push(Buffer.from(bytes).toString())
          if (at === PAGE) acts()
          return noTarget.writer.text(bytes)
        },
        file: async pieces => {
          async function* each() {
            for await (const piece of pieces) {
              if (at === 'when the first file is kept') acts()
              kept.push(Buffer.from(piece).toString())
              yield piece
            }
            if (at === 'after that of the file') acts()
          }
          return noTarget.writer.file(each())
        },
      },
    }
    const targetFor = () => {
      if (at === BEFORE) acts()
      return target
    }
    const { findings } = await readBrandFolder(folder, { ...READ_OPTIONS, targetFor })
    const expected = found.map(path => `${path}: error changed-while-read`)
    assert.deepEqual(lines(findings), expected)
    assert.ok(kept.length > 0 || does.startsWith('guide becomes'))
    assert.doesNotMatch(kept.join('\n') + JSON.stringify(findings), new RegExp(OUTSIDE))
    for (const { severity, message } of findings)
      if (severity === 'error') assert.match(message, /import again once nothing writes to the folder/)
  })

test('a move while a brand folder is read is an error without /proc too, as on macOS', {
  ...needs('right to mount', 'unshare'),
  timeout: 300_000,
}, () => {
  const args = ['--test', '--test-name-pattern=nothing from elsewhere', import.meta.filename]
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const inside = 'mount -t tmpfs none /proc && exec "$@"'
  const { status, stdout } = spawnSync('unshare', ['-m', 'sh', '-c', inside, 'sh', process.execPath, ...args], { env })
  assert.match(stdout.toString(), new RegExp(`^ℹ pass ${CASES.length}$`, 'm'))
  assert.equal(status, 0)
})

function onlyOnce(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** Repeatedly replaces each path with a symbolic link to the outside, and restores it. */
const SWAPPING = `
  import { renameSync, symlinkSync, unlinkSync } from 'node:fs'
  import { basename, dirname, join } from 'node:path'
  const [folder, outside, ...paths] = process.argv.slice(1)
  const unchanged = new Int32Array(new SharedArrayBuffer(4))
  const sleep = milliseconds => Atomics.wait(unchanged, 0, 0, milliseconds)
  for (let round = 0; ; round++)
    for (const path of paths) {
      const [here, spill] = [join(folder, path), join(folder, dirname(path), '_' + basename(path))]
      renameSync(here, spill)
      symlinkSync(join(outside, path), here)
      sleep((round % 7) * 0.3)
      unlinkSync(here)
      renameSync(spill, here)
      sleep((round % 5) * 0.3)
    }`

const LARGE_FOLDER = [
  'workspace.yaml',
  ...GUIDE,
  ...Array.from({ length: 20 }, (_, at) => [
    `guide/pages/sub/deep/${at}.md`,
    `guide/pages/sub/${at}.svg`,
    `guide/files/sub/${at}.svg`,
    `guide/files/sub/deep/${at}.txt`,
  ]).flat(),
]
const SWAPPED = [
  'guide',
  'guide/pages',
  'guide/pages/sub',
  'guide/pages/sub/deep',
  'guide/styles',
  'guide/files',
].concat(
  'guide/files/sub',
  'guide/files/sub/deep',
  'guide/files/a.svg',
  'guide/styles/colors.yaml',
  'guide/project.yaml',
  'workspace.yaml',
)

/** The number of imports, and how many of them must meet a moving path for the race to count. */
const ROUNDS = scale(3)
const MIN_MET = 1

test('nothing outside is read while folders and files become links and back', { timeout: 300_000 }, async t => {
  const { folder, outside } = await twoFolders(within(LARGE_FOLDER))
  const stores = await temporaryFolder()
  const swapping = spawn(process.execPath, ['--input-type=module', '-e', SWAPPING, folder, outside, ...SWAPPED], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => swapping.kill('SIGKILL'))
  let met = 0
  for (let round = 0; round < ROUNDS; round++) {
    const store = await openStore(join(stores, `${round}`)) // One that has seen the folder does not open it again.
    const { findings } = await importFolder(store, folder, { ...READ_OPTIONS, isDryRun: false, now: () => new Date() })
    if (findings.some(({ rule }) => rule === 'changed-while-read')) met++
    await store.close()
    assert.doesNotMatch(JSON.stringify(findings), new RegExp(OUTSIDE))
  }
  swapping.kill('SIGKILL')
  await once(swapping, 'exit')
  const { stdout } = spawnSync('grep', ['-rlaF', OUTSIDE, stores], { encoding: 'utf8' })
  assert.equal(stdout, '')
  assert.ok(met >= MIN_MET, `only ${met} of ${ROUNDS} imports met something that moved`)
  t.diagnostic(`${met} of ${ROUNDS} imports met something that moved`)
})
