import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { temporaryFolder } from '../../support/temporary.ts'
import { runCommand } from '../../support/temporary-store.ts'
import { lint } from './lint-folder.ts'

const EXAMPLE = join(import.meta.dirname, '../../../examples/acme')

test('the exports of the example give no finding', async () => {
  const folder = await temporaryFolder()
  const names = {
    css: 'tokens.css',
    scss: '_tokens.scss',
    tailwind: 'theme.css',
    fonts: 'fonts.css',
    dtcg: 'tokens.json',
  }
  for (const [format, name] of [...Object.entries(names), ['dtcg-legacy', 'tokens.legacy.json']]) {
    const out = join(folder, name ?? '')
    const { exitCode, err } = await runCommand(folder, [
      'export',
      'acme/guidelines',
      '--folder',
      EXAMPLE,
      '--to',
      format ?? '',
      '--out',
      out,
    ])
    assert.equal(exitCode, 0, err)
  }
  assert.deepEqual(await lint(folder, ['.', '--brand', 'acme/guidelines', '--folder', EXAMPLE]), [])
})

test('the pages of the static copy of the example give no error in HTML', async () => {
  const folder = await temporaryFolder()
  cpSync(EXAMPLE, join(folder, 'acme'), { recursive: true, filter: path => !LARGE.test(path) })
  const { exitCode, err } = await runCommand(
    folder,
    'export acme/guidelines --folder acme --to site --out site'.split(' '),
  )
  assert.equal(exitCode, 0, err)
  const findings = await lint(folder, ['site', '--brand', 'acme/guidelines', '--folder', EXAMPLE])
  const unexpected = findings.filter(({ severity, path }) => severity === 'error' && path.endsWith('.html'))
  assert.deepEqual(unexpected, [])
})

/** Files that take long to draw. */
const LARGE = /\/files\/(?:film|pictures|print|sound)$/
